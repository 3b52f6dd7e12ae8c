package mockapns_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	. "mockapns"
)

// modes has the stories that are told with one kind of server only.
var modes = map[string]map[string]func(*testing.T){
	"own": {
		"own-server": func(t *testing.T) {
			var here []string
			for number := 0; number < 2; number++ {
				t.Run("test", func(t *testing.T) { here = append(here, New(t).APIURL) })
			}
			mustBe(t, "the same", here[0], here[1])
			mustBe(t, "another process has the same", here[0] == child(t)["MOCK_APNS_API_URL"], false)
		},
		"own-server-ends": func(t *testing.T) {
			command := command(t, "TestChild", "KIT_CHILD=waits", "TMPDIR="+t.TempDir())
			output, err := command.StdoutPipe()
			mustBe(t, "error", err, nil)
			input, err := command.StdinPipe()
			mustBe(t, "error", err, nil)
			defer input.Close()
			mustBe(t, "error", command.Start(), nil)
			env := handle(t, output)
			var info struct {
				PID    int
				CAFile string
			}
			_, text := get(t, env["MOCK_APNS_API_URL"]+"/api/v1/info")
			mustBe(t, "error", json.Unmarshal([]byte(text), &info), nil)
			server, _, number := syscall.Syscall(434 /* pidfd_open */, uintptr(info.PID), 0, 0)
			mustBe(t, "error", number, syscall.Errno(0))
			mustBe(t, "error", command.Process.Kill(), nil)
			_ = command.Wait()
			var ended syscall.FdSet
			ended.Bits[server/64] |= 1 << (server % 64)
			_, err = syscall.Select(int(server)+1, &ended, nil, nil, nil)
			mustBe(t, "error", err, nil)
			_, err = os.Stat(filepath.Dir(info.CAFile))
			mustBe(t, "files of the server are gone", os.IsNotExist(err), true)
		},
		"program-found": func(t *testing.T) {
			directory := t.TempDir()
			for _, name := range []string{"named", "mock-apns"} {
				script := fmt.Sprintf("#!/bin/sh\necho %s >%s/taken\nexec '%s' \"$@\"\n", name, directory, program(t))
				mustBe(t, "error", os.WriteFile(filepath.Join(directory, name), []byte(script), 0o700), nil)
			}
			path := "PATH=" + directory + ":" + os.Getenv("PATH")
			child(t, "MOCK_APNS_BIN="+directory+"/named", path)
			mustBe(t, "taken", string(read(t, directory+"/taken")), "named\n")
			child(t, "MOCK_APNS_BIN=", path)
			mustBe(t, "taken", string(read(t, directory+"/taken")), "mock-apns\n")
		},
		"api-token": func(t *testing.T) {
			serve(t, []string{"--api-token", "secret"}, func(api, _ string) {
				mustBe(t, "URL", child(t, "MOCK_APNS_API_URL="+api, "MOCK_APNS_API_TOKEN=secret")["MOCK_APNS_API_URL"], api)
				complains(t, "MOCK_APNS_API_URL="+api, "MOCK_APNS_API_TOKEN")
			})
			child(t, "MOCK_APNS_API_TOKEN=secret")
		},
		"bad-url": func(t *testing.T) {
			complains(t, "MOCK_APNS_API_URL=localhost:8197", `"localhost:8197"`, "expected a URL such as http://127.0.0.1:8197")
			complains(t, "MOCK_APNS_API_URL=https://localhost", `"https://localhost"`, "expected a URL such as http://127.0.0.1:8197")
		},
		"unknown-host": func(t *testing.T) {
			complains(t, "MOCK_APNS_API_URL=http://mock-apns.invalid:8197", "is mock-apns running at http://mock-apns.invalid:8197?")
		},
		"nothing-listens": func(t *testing.T) {
			complains(t, "MOCK_APNS_API_URL=http://127.0.0.1:1", "refused", "is mock-apns running at http://127.0.0.1:1?")
		},
		"another-server": func(t *testing.T) {
			complains(t, "MOCK_APNS_API_URL="+answer(t, 404, "Not here"), "404 Not Found", "is that mock-apns?")
			complains(t, "MOCK_APNS_API_URL="+answer(t, 200, "Welcome"), `200 OK "Welcome"`, "is that mock-apns?")
		},
		"old-server": func(t *testing.T) {
			url := answer(t, 404, `{"detail":"Path not found","type":"urn:mock-apns:problem:unknown-path"}`)
			complains(t, "MOCK_APNS_API_URL="+url, "mock-apns/0.0.9 at "+url, "does not know", "update it")
		},
		"missing-program": func(t *testing.T) {
			complains(t, "MOCK_APNS_BIN=/nowhere/mock-apns", "/nowhere/mock-apns", "install mock-apns, or set MOCK_APNS_BIN")
			complains(t, "MOCK_APNS_BIN=mock-apns-that-is-missing", "$PATH", "install mock-apns, or set MOCK_APNS_BIN")
		},
		"wrong-architecture": func(t *testing.T) {
			header := make([]byte, 4096)
			copy(header, "\x7fELF\x02\x01\x01")
			binary.LittleEndian.PutUint16(header[16:], 2)  // an executable
			binary.LittleEndian.PutUint16(header[18:], 22) // for IBM S/390
			file := filepath.Join(t.TempDir(), "mock-apns")
			mustBe(t, "error", os.WriteFile(file, header, 0o700), nil)
			complains(t, "MOCK_APNS_BIN="+file, file+" for linux/", "exec format error")
		},
		"busy-port": func(t *testing.T) {
			busy, err := net.Listen("tcp", "127.0.0.1:0")
			mustBe(t, "error", err, nil)
			defer busy.Close()
			_, port, _ := net.SplitHostPort(busy.Addr().String())
			complains(t, "MOCK_APNS_APNS_LISTEN="+busy.Addr().String(), port, "127.0.0.1 is in use", "--apns-listen")
		},
		"read-only-home": func(t *testing.T) {
			child(t, "HOME=/proc/nowhere", "KIT_DIRECTORY=/proc")
		},
		"no-temporary-directory": func(t *testing.T) {
			complains(t, "TMPDIR=/proc/nowhere", "/proc/nowhere", "set TMPDIR")
		},
	},
	"exec": {
		"exec-server": func(t *testing.T) {
			mustBe(t, "URL", New(t).APIURL, os.Getenv("MOCK_APNS_API_URL"))
			env := child(t, "MOCK_APNS_BIN=/nowhere/mock-apns")
			mustBe(t, "URL in a process without a program", env["MOCK_APNS_API_URL"], os.Getenv("MOCK_APNS_API_URL"))
		},
	},
	"api": {
		"api-url-alone": func(t *testing.T) {
			apns, p, phone := start(t)
			mustBe(t, "status", p.send(phone.Token, "one"), 200)
			for _, file := range []string{apns.CAFile, apns.Key.File} {
				mustBe(t, "in the temporary directory", strings.HasPrefix(file, os.TempDir()), true)
			}
		},
		"published-port": func(t *testing.T) {
			serve(t, []string{"--tls-san", "127.0.0.2"}, func(api, apns string) {
				_, port, _ := net.SplitHostPort(forward(t, strings.TrimPrefix(apns, "https://")))
				url := "http://" + forward(t, strings.TrimPrefix(api, "http://"))
				output, err := again(t, "TestChild", "KIT_CHILD=two", "MOCK_APNS_API_URL="+url, "MOCK_APNS_APNS_PORT="+port)
				mustBe(t, "error of\n"+output, err, nil)
				mustContain(t, output, "at https://127.0.0.2:"+port)
			})
		},
	},
}

// TestChild is run by stories in a process of its own.
func TestChild(t *testing.T) {
	switch os.Getenv("KIT_CHILD") {
	case "two":
		one, two := New(t), New(t)
		fmt.Println("at", one.URL, two.URL)
		for title, apns := range map[string]*MockAPNs{"one": one, "two": two} {
			mustBe(t, "status", newProvider(t, apns).send(apns.Phone(topic).Token, title), 200)
		}
		mustBe(t, "one", one.ExpectExactly(1)[0].Title(), "one")
		mustBe(t, "two", two.ExpectExactly(1)[0].Title(), "two")
	case "failures":
		for number := 1; number <= 101; number++ {
			var apns *MockAPNs
			report := failure(t, func(t testing.TB) { apns = New(t); apns.Expect(Within(0)) })
			mustBe(t, fmt.Sprintf("the page of failure %d", number), strings.Contains(report, apns.Page), number <= 100)
			mustBe(t, fmt.Sprintf("its namespace after failure %d", number), status(t, apns, "info") == 200, number <= 100)
		}
	case "handle", "waits":
		if directory := os.Getenv("KIT_DIRECTORY"); directory != "" {
			mustBe(t, "error", os.Chdir(directory), nil)
		}
		apns, p, phone := start(t)
		mustBe(t, "status", p.send(phone.Token, "one"), 200)
		text, err := json.Marshal(apns.Environment())
		mustBe(t, "error", err, nil)
		fmt.Println(string(text))
		if os.Getenv("KIT_CHILD") == "waits" {
			_, _ = io.ReadAll(os.Stdin)
		}
	default:
		t.Skip("is run by stories")
	}
}

// command runs a test in a process of its own, with these variables in place of others of its kind, but with the same server.
func command(t *testing.T, test string, variables ...string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(executable, "-test.run", "^"+test+"$")
	command.Env = append(append(os.Environ(), "KIT_CHILD=handle"), variables...)
	return command
}

func again(t *testing.T, test string, variables ...string) (string, error) {
	t.Helper()
	output, err := command(t, test, variables...).CombinedOutput()
	return string(output), err
}

// child is the variables of a handle of another process, which has sent a push.
func child(t *testing.T, variables ...string) map[string]string {
	t.Helper()
	output, err := again(t, "TestChild", variables...)
	if err != nil {
		t.Fatal(output)
	}
	return handle(t, strings.NewReader(output))
}

func handle(t *testing.T, output io.Reader) (env map[string]string) {
	t.Helper()
	if err := json.NewDecoder(output).Decode(&env); err != nil {
		t.Fatal(err)
	}
	return env
}

// complains runs a test with a variable, and expects that it fails with one line that has these parts.
func complains(t *testing.T, variable string, parts ...string) {
	t.Helper()
	output, err := again(t, "TestChild", variable)
	mustBe(t, "failed", err != nil, true)
	lines := strings.Split(strings.TrimSpace(output), "\n")
	mustBe(t, "lines of\n"+output, len(lines), 3) // --- FAIL: TestChild, the message, FAIL
	mustContain(t, output, append(parts, "_test.go:", "mock-apns: ")...)
}

func program(t *testing.T) string {
	for _, variable := range []string{"MOCK_APNS_BIN", "KIT_PROGRAM"} {
		if file := os.Getenv(variable); file != "" {
			return file
		}
	}
	t.Fatal("MOCK_APNS_BIN is not set: run kits/go/run")
	return ""
}

// serve starts a server with these options, and calls use with the URLs of its API and for pushes.
func serve(t *testing.T, options []string, use func(api, apns string)) {
	t.Helper()
	options = append(append([]string{"exec", "--quiet"}, options...), "--", "sh", "-c", `echo "$MOCK_APNS_API_URL $MOCK_APNS_URL"; exec cat`)
	server := exec.Command(program(t), options...)
	input, err := server.StdinPipe()
	mustBe(t, "error", err, nil)
	output, err := server.StdoutPipe()
	mustBe(t, "error", err, nil)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		input.Close()
		mustBe(t, "end", server.Wait(), nil)
	}()
	var api, apns string
	if _, err := fmt.Fscanln(output, &api, &apns); err != nil {
		t.Fatal(err)
	}
	use(api, apns)
}

// answer starts a server that gives this answer.
func answer(t *testing.T, status int, text string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Server", "mock-apns/0.0.9")
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// forward makes a server known at 127.0.0.2, and returns its address there.
func forward(t *testing.T, to string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			here, err := listener.Accept()
			if err != nil {
				return
			}
			there, err := net.Dial("tcp", to)
			if err != nil {
				here.Close()
				continue
			}
			for _, way := range [][2]net.Conn{{here, there}, {there, here}} {
				go func(from, to net.Conn) {
					_, _ = io.Copy(to, from)
					to.Close()
				}(way[0], way[1])
			}
		}
	}()
	return listener.Addr().String()
}
