package mockapns

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is what the tests of a package share.
var server struct {
	sync.Mutex
	api, host string
	port      string // that namespaces share, if theirs cannot be reached
	ca        []byte
	key       Key
	input     io.Closer // of our own server: a pipe that is open as long as this process
}

// connect finds or starts the server, if no test has done so before.
func connect(t testing.TB) {
	t.Helper()
	server.Lock()
	defer server.Unlock()
	if server.key.ID != "" {
		return
	}
	server.api = strings.TrimRight(os.Getenv("MOCK_APNS_API_URL"), "/")
	if server.api == "" {
		start(t)
	}
	address, err := url.Parse(server.api)
	if err != nil || address.Scheme != "http" || address.Host == "" {
		t.Fatalf("mock-apns: MOCK_APNS_API_URL is %q: expected a URL such as http://127.0.0.1:8197", server.api)
	}
	server.host = address.Hostname()
	server.ca, _ = call[[]byte](t, "GET", "ca.pem", nil)
	if server.input == nil {
		findPort(t)
	}
	server.key, _ = call[Key](t, "POST", "keys/generate", object{})
}

// start starts a server that ends with this process: it is for a command that reads until then.
func start(t testing.TB) {
	t.Helper()
	program := os.Getenv("MOCK_APNS_BIN")
	if program == "" {
		program = "mock-apns"
	}
	var complaint bytes.Buffer
	command := exec.Command(program, "exec", "--quiet", "--", "sh", "-c", `echo "$MOCK_APNS_API_URL"; exec cat`)
	command.Stderr = &complaint
	output := must(command.StdoutPipe())(t)
	server.input = must(command.StdinPipe())(t)
	if err := command.Start(); err != nil { // also for another processor
		t.Fatalf("mock-apns: cannot start %s for %s/%s (%v): install mock-apns, or set MOCK_APNS_BIN to the program"+
			" or MOCK_APNS_API_URL to a server", program, runtime.GOOS, runtime.GOARCH, err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		err = command.Wait() // also for the complaint
		t.Fatalf("%s (%s: %v)", strings.TrimSpace(complaint.String()), program, err)
	}
	server.api = strings.TrimSpace(line)
}

// findPort finds the port that namespaces share if theirs cannot be reached from here, because a container publishes
// none of them. Pushes to the phones of a namespace belong to it there, too.
func findPort(t testing.TB) {
	t.Helper()
	probe := addNamespace(t, "probe")
	if connection, err := net.DialTimeout("tcp", net.JoinHostPort(server.host, probe.port()), time.Second); err == nil {
		connection.Close()
	} else if server.port = os.Getenv("MOCK_APNS_APNS_PORT"); server.port == "" {
		all, _ := call[namespace](t, "GET", "namespaces/default", nil)
		server.port = all.port()
	}
	call[[]byte](t, "DELETE", "namespaces/"+probe.Name, nil)
}

type namespace struct{ Name, APNs string }

func (n namespace) port() string { return n.APNs[strings.LastIndexByte(n.APNs, ':')+1:] }

// addNamespace adds a namespace for a test.
func addNamespace(t testing.TB, test string) namespace {
	t.Helper()
	suffix := make([]byte, 4)
	must(rand.Read(suffix))(t)
	name := fmt.Sprintf("%.40s-%x", notInNames.ReplaceAllString(test, "."), suffix)
	body := object{"name": name, "ttl": "1h", "listener": server.port == ""}
	added, _ := call[namespace](t, "POST", "namespaces", body)
	return added
}

// Verifications wait for at most a minute.
var client = http.Client{Timeout: 70 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// call calls the debug API. The result is the JSON of the response, or its bytes. Or there is the report of a
// verification that failed; any other problem ends the test.
func call[Result any](t testing.TB, method, path string, body object) (result Result, report string) {
	t.Helper()
	var encoded []byte
	if body != nil {
		encoded = must(json.Marshal(body))(t)
	}
	request := must(http.NewRequest(method, server.api+"/api/v1/"+path, bytes.NewReader(encoded)))(t)
	if token := os.Getenv("MOCK_APNS_API_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatalf("mock-apns: no answer (%v): is mock-apns running at %s?", err, server.api)
	}
	defer response.Body.Close()
	content := must(io.ReadAll(response.Body))(t)
	var problem struct{ Type, Detail, Report string }
	raw, isRaw := any(&result).(*[]byte)
	if response.StatusCode >= 300 {
		err = json.Unmarshal(content, &problem)
	} else if isRaw {
		*raw = content
	} else {
		err = json.Unmarshal(content, &result)
	}
	if err != nil || response.StatusCode >= 300 && problem.Type == "" {
		t.Fatalf("mock-apns: %s of %s got %s %.60q: is that mock-apns?", path, server.api, response.Status, content)
	} else if problem.Type == "urn:mock-apns:problem:unknown-path" {
		old := response.Header.Get("Server")
		t.Fatalf("mock-apns: %s at %s does not know %s: update it to the version of this kit", old, server.api, path)
	} else if problem.Type != "" && problem.Report == "" {
		t.Fatal("mock-apns: " + problem.Detail)
	}
	return result, strings.TrimSpace(problem.Report)
}
