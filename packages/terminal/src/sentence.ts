/**
 * A text that the API and the command lines show: it begins with a capital letter and ends with a full stop or a
 * question mark, so that the compiler refuses a part of a sentence. A rule about a field may leave out its subject:
 * `Must be a branch.`
 */
export type Sentence = `${LettersOf<'ABCDEFGHIJKLMNOPQRSTUVWXYZ'>}${string}${'.' | '?'}`;

type LettersOf<Text> = Text extends `${infer First}${infer Rest}` ? First | LettersOf<Rest> : never;
