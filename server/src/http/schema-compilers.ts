/**
 * Compiles the schema of a route at its first request. The server has more than two hundred, and compiling all of them
 * would take a second of each start. A gate compiles all.
 */
import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { parameterKeywords } from './input.ts';

export const compileValidator = AjvCompiler()(
  {},
  {
    customOptions: {
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: false,
      // The answer names the first wrong field only. A body of one megabyte could give an answer of forty megabytes.
      allErrors: false,
      keywords: parameterKeywords,
    },
  },
) as FastifySchemaCompiler<unknown>;

export const compileSerializer = SerializerSelector()({}, {}) as FastifySerializerCompiler<unknown>;

export function registerSchemaCompilers(app: FastifyInstance): void {
  app.setValidatorCompiler((route) => {
    let validate: ReturnType<typeof compileValidator> | undefined;
    return (data: unknown) => {
      validate ??= compileValidator(route);
      return validate(data) || { error: validate.errors ?? [] };
    };
  });
  app.setSerializerCompiler((route) => {
    let serialize: ReturnType<typeof compileSerializer> | undefined;
    return (data) => {
      serialize ??= compileSerializer(route);
      return serialize(data);
    };
  });
}
