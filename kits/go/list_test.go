package mockapns_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestStories runs the stories of this kind of server: KIT_MODE, or own.
func TestStories(t *testing.T) {
	mode := os.Getenv("KIT_MODE")
	if mode == "" {
		mode = "own"
	}
	for _, part := range []map[string]func(*testing.T){stories, modes[mode]} {
		for id, test := range part {
			t.Run(id, test)
		}
	}
}

func TestEveryStoryHasATest(t *testing.T) {
	var list struct{ Stories []struct{ ID, Mode string } }
	if err := json.Unmarshal(read(t, "../stories.json"), &list); err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for id := range stories {
		tests[id] = true
	}
	for mode, stories := range modes {
		for id := range stories {
			tests[mode+" "+id] = true
		}
	}
	for _, story := range list.Stories {
		id := strings.TrimSpace(story.Mode + " " + story.ID)
		if !tests[id] {
			t.Errorf("the story %q has no test", id)
		}
		delete(tests, id)
	}
	for id := range tests {
		t.Errorf("the test %q has no story", id)
	}
}

// The tests in the README are those in example_test.go.
func TestReadme(t *testing.T) {
	blocks := strings.Split(string(read(t, "README.md")), "```go\n")[1:]
	for _, block := range blocks {
		mustContain(t, string(read(t, "example_test.go")), strings.SplitN(block, "```", 2)[0])
	}
	mustBe(t, "tests in the README", len(blocks), 3)
}

func mustBe(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: expected %v, got %v", what, want, got)
	}
}

func mustContain(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("expected %q in\n%s", part, text)
		}
	}
}

// failing is a test that may fail; the others go on.
type failing struct {
	testing.TB
	message  string
	cleanups []func()
}

func (f *failing) Helper()                           {}
func (f *failing) Name() string                      { return f.TB.Name() + "/failing" }
func (f *failing) Cleanup(cleanup func())            { f.cleanups = append(f.cleanups, cleanup) }
func (f *failing) Failed() bool                      { return f.message != "" }
func (f *failing) Fatal(values ...any)               { f.message = fmt.Sprint(values...); runtime.Goexit() }
func (f *failing) Fatalf(form string, values ...any) { f.Fatal(fmt.Sprintf(form, values...)) }

// failure returns the message with which a test fails.
func failure(t *testing.T, test func(testing.TB)) string {
	t.Helper()
	f, ended := &failing{TB: t}, make(chan bool)
	go func() {
		defer close(ended)
		defer func() {
			for number := len(f.cleanups) - 1; number >= 0; number-- {
				f.cleanups[number]()
			}
		}()
		test(f)
	}()
	<-ended
	if !f.Failed() {
		t.Error("expected a failure")
	}
	return f.message
}
