package mockapns

import (
	"bufio"
	"bytes"
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
	"time"
)

// server is the server that the tests of a package share.
type server struct {
	api, token, version string // of the debug API
	host, port          string // for pushes
	isOwn               bool
	ca                  []byte
	key                 Key
	command             *exec.Cmd // its input is a pipe that is open as long as this process
}

var shared struct {
	sync.Once
	server *server
	err    error
}

func sharedServer() (*server, error) {
	shared.Do(func() {
		shared.server = &server{}
		shared.err = shared.server.connect(os.Getenv)
	})
	return shared.server, shared.err
}

// connect finds or starts the server.
func (s *server) connect(env func(string) string) (err error) {
	s.api, s.token = strings.TrimRight(env("MOCK_APNS_API_URL"), "/"), env("MOCK_APNS_API_TOKEN")
	s.host, s.port, s.isOwn = env("MOCK_APNS_HOST"), env("MOCK_APNS_APNS_PORT"), s.api == ""
	if s.isOwn {
		if err := s.start(env("MOCK_APNS_BIN")); err != nil {
			return err
		}
	}
	address, err := url.Parse(s.api)
	if err != nil || address.Scheme != "http" || address.Host == "" {
		return fmt.Errorf("mock-apns: MOCK_APNS_API_URL is %q: expected a URL such as http://127.0.0.1:8197", s.api)
	}
	if s.host == "" || s.isOwn {
		s.host = address.Hostname()
	}
	var info struct {
		Version   string
		Listeners []struct{ URL, Interface string }
	}
	if err := s.call("GET", "info", nil, &info); err != nil {
		return err
	}
	s.version = info.Version
	for _, listener := range info.Listeners {
		if s.port == "" && listener.Interface == "http2" {
			s.port = portOf(listener.URL)
		}
	}
	if err := s.call("GET", "ca.pem", nil, &s.ca); err != nil {
		return err
	}
	return s.call("POST", "keys/generate", nil, &s.key)
}

// start starts a server that ends with this process: it is for a command that reads until then.
func (s *server) start(program string) error {
	if program == "" {
		program = "mock-apns"
	}
	var complaint bytes.Buffer
	s.command = exec.Command(program, "exec", "--quiet", "--", "sh", "-c", `echo "$MOCK_APNS_API_URL"; exec cat`)
	s.command.Stderr = &complaint
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, attachments+"=") { // the server does not know this one
			s.command.Env = append(s.command.Env, variable)
		}
	}
	output, err := s.command.StdoutPipe()
	if err == nil {
		_, err = s.command.StdinPipe()
	}
	if err == nil {
		err = s.command.Start()
	}
	if err != nil { // also for another processor
		return fmt.Errorf("mock-apns: cannot start %s for %s/%s (%w): install mock-apns, or set MOCK_APNS_BIN to the program or MOCK_APNS_API_URL to a server",
			program, runtime.GOOS, runtime.GOARCH, err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		err = s.command.Wait() // also for the complaint
		return fmt.Errorf("%s (%s: %v)", strings.TrimSpace(complaint.String()), program, err)
	}
	s.api = strings.TrimSpace(line)
	return nil
}

// addNamespace adds a namespace, and returns its host and port for pushes. A container publishes no ports of namespaces: then
// they are the server's, where pushes to the phones of a namespace belong to it.
func (s *server) addNamespace(name string) (string, error) {
	var added struct{ APNs string }
	if err := s.call("POST", "namespaces", object{"name": name, "ttl": "1h"}, &added); err != nil {
		return "", err
	}
	own := net.JoinHostPort(s.host, portOf(added.APNs))
	if s.isOwn {
		return own, nil
	}
	if connection, err := net.DialTimeout("tcp", own, time.Second); err == nil {
		return own, connection.Close()
	}
	err := s.call("DELETE", "namespaces/"+name, nil, nil)
	if err == nil {
		err = s.call("POST", "namespaces", object{"name": name, "ttl": "1h", "listener": false}, nil)
	}
	return net.JoinHostPort(s.host, s.port), err
}

func portOf(url string) string { return url[strings.LastIndexByte(url, ':')+1:] }

// problem is the answer to a call that failed. Verifications have a report.
type problem struct{ Type, Detail, Report string }

func (p *problem) Error() string {
	if p.Report != "" {
		return strings.TrimSpace(p.Report)
	}
	return "mock-apns: " + p.Detail
}

// Verifications wait for at most a minute.
var client = http.Client{Timeout: 70 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// call calls the debug API. The result gets the response's JSON, or its bytes.
func (s *server) call(method, path string, body object, result any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		encoded = nil
	}
	request, err := http.NewRequest(method, s.api+"/api/v1/"+path, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("mock-apns: no answer (%w): is mock-apns running at %s?", err, s.api)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		unmet := &problem{}
		if json.Unmarshal(content, unmet) != nil || unmet.Detail == "" {
			unmet.Detail = fmt.Sprintf("%s of %s got %s without a reason: is that mock-apns?", path, s.api, response.Status)
		} else if unmet.Type == "urn:mock-apns:problem:unknown-path" {
			unmet.Detail = fmt.Sprintf("the server at %s has version %s and does not know %s: update it", s.api, s.version, path)
		}
		return unmet
	}
	switch result := result.(type) {
	case nil:
	case *[]byte:
		*result = content
	default:
		if err := json.Unmarshal(content, result); err != nil {
			return fmt.Errorf("mock-apns: cannot read %s of %s (%w): is that mock-apns?", path, s.api, err)
		}
	}
	return nil
}
