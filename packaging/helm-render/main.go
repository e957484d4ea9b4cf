// Renders the templates of a chart with the engine and the functions that Helm uses (text/template, sprig), for a test
// where Helm is not installed. Standard input is JSON: what templates see as `.`, and `Found`, what `lookup` finds.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	var context map[string]interface{}
	check(json.NewDecoder(os.Stdin).Decode(&context))
	chart := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := chart.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	// JSON is YAML.
	functions["toYaml"] = functions["toJson"]
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	functions["lookup"] = func(_, _, _, _ string) interface{} { return context["Found"] }
	chart.Funcs(functions)
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		check(err)
		_, err = chart.New(filepath.Base(path)).Parse(string(text))
		check(err)
	}
	for _, path := range os.Args[1:] {
		if strings.HasSuffix(path, ".tpl") {
			continue
		}
		fmt.Println("---")
		check(chart.ExecuteTemplate(os.Stdout, filepath.Base(path), context))
	}
}
