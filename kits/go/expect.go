package mockapns

import (
	"fmt"
	"strings"
	"time"
)

type object = map[string]any

// An Option is a condition for pushes, or says how long to wait for them or how often a fault fires.
//
// Only accepted pushes match, unless a condition is about the outcome, the status or the reason of the response.
type Option func(*query)

type query struct {
	match, when   object // when is that of a fault
	within, quiet time.Duration
	strict        bool
	err           error
}

// Where is any member of the debug API's match, with dots between the names: Where("title.startsWith", "Order").
func Where(path string, value any) Option {
	return func(q *query) {
		names := strings.Split(path, ".")
		last, at := len(names)-1, q.match
		for _, name := range names[:last] {
			if _, isTwice := at[name]; at != nil && !isTwice {
				at[name] = object{}
			}
			at, _ = at[name].(object)
		}
		if before, isTwice := at[names[last]]; at == nil || isTwice && fmt.Sprint(before) != fmt.Sprint(value) {
			q.err = fmt.Errorf("mock-apns: two conditions are for %s: use one, or Query with several terms", path)
		} else {
			at[names[last]] = value
		}
	}
}

func is[Value any](path string) func(Value) Option {
	return func(value Value) Option { return Where(path, value) }
}

// Conditions for pushes.
var (
	Query         = is[string]("q")              // a search as in the inspector: type:alert is:delivered
	Token         = is[string]("token")          // the device token, in hexadecimal digits
	Device        = is[string]("device")         // the name of the device
	Topic         = is[string]("topic")          // in apns-topic
	Type          = is[string]("pushType")       // such as alert or background
	Priority      = is[int]("priority")          // 10, 5 or 1
	Expiration    = is[int64]("expiration")      // in UNIX seconds
	CollapseID    = is[string]("collapseId")     // in apns-collapse-id
	Title         = is[string]("title")          // the title of the alert
	TitleContains = is[string]("title.contains") // a part of it
	Body          = is[string]("body")           // the text of the alert
	BodyContains  = is[string]("body.contains")  // a part of it
	APNsID        = is[string]("apnsId")         // the apns-id of the response
	KeyID         = is[string]("keyId")          // the key that signed the provider token
	TeamID        = is[string]("teamId")         // the team of the provider token
	Environment   = is[string]("environment")    // of the listener: sandbox or production
	Delivery      = is[string]("delivery")       // such as delivered or stored-device-offline
	ChannelID     = is[string]("channel")        // the broadcast channel
	HasWarning    = is[string]("lint")           // a warning of docs/lints.md
	Ignored       = is[string]("ignored")        // why the phone ignored a push to a Live Activity
	Forwarded     = is[int]("forwarded")         // the status of the service that pushes are forwarded to
	Fits          = is[string]("fits")           // a schema of the app: payload or content-state:RideAttributes
	Status        = is[int]("verdict.status")    // of the response
	Reason        = is[string]("verdict.reason") // of the response, such as BadDeviceToken

	NotIgnored = Where("ignored.absent", true)
	Accepted   = Where("verdict.outcome", "accepted")
	Rejected   = Where("verdict.outcome", "rejected")
	AnyOutcome = Where("verdict.outcome.present", true)
)

// To is for pushes to an app on a phone.
func To(phone *Phone) Option { return Token(phone.Token) }

// Header is for pushes with this field of the request; its name is in lower case.
func Header(name, value string) Option { return Where("headers."+name, value) }

// Payload is for pushes with this value at a JSON Pointer: Payload("/orderID", "17").
func Payload(pointer string, value any) Option {
	return func(q *query) {
		conditions, _ := q.match["payload"].([]object)
		q.match["payload"] = append(conditions, object{"at": pointer, "equals": value})
	}
}

// Within is how long to wait, by default a second; in ExpectNone how long to watch, and in WaitForIdle at most (10 s).
func Within(limit time.Duration) Option { return func(q *query) { q.within = limit } }

// Quiet is how long no push must arrive for WaitForIdle, by default 100 ms.
func Quiet(duration time.Duration) Option { return func(q *query) { q.quiet = duration } }

// Strict allows no other pushes between the steps of ExpectSequence.
func Strict(q *query) { q.strict = true }

// Times is how often a fault fires at most.
func Times(count int) Option { return func(q *query) { q.when["times"] = count } }

// Skip is how many matching pushes a fault lets pass first.
func Skip(count int) Option { return func(q *query) { q.when["skip"] = count } }

func (m *MockAPNs) query(within time.Duration, options []Option) *query {
	m.t.Helper()
	q := &query{match: object{}, when: object{}, within: within, quiet: 100 * time.Millisecond}
	for _, option := range options {
		option(q)
	}
	return must(q, q.err)(m.t)
}

// Expect waits until a push matches, and returns the first one. If none matches in time, the test fails, and shows the
// closest pushes and why they do not match.
func (m *MockAPNs) Expect(options ...Option) *Push {
	m.t.Helper()
	return m.expect(m.query(time.Second, options), object{"atLeast": 1})[0]
}

// ExpectExactly waits until exactly this number of pushes match, and returns them in the order of arrival. It
// returns as soon as there are enough. To catch later pushes as well, call WaitForIdle before.
func (m *MockAPNs) ExpectExactly(count int, options ...Option) []*Push {
	m.t.Helper()
	return m.expect(m.query(time.Second, options), object{"exactly": count})
}

// ExpectNone checks that no push matches, and with Within also that none arrives until then.
func (m *MockAPNs) ExpectNone(options ...Option) {
	m.t.Helper()
	m.expect(m.query(0, options), object{"never": true})
}

// Pushes returns the pushes that match, oldest first.
func (m *MockAPNs) Pushes(options ...Option) []*Push {
	m.t.Helper()
	return m.expect(m.query(0, options), object{"atLeast": 0})
}

// A Step of a sequence has the conditions of a push. Within and Strict in any step are for the whole sequence.
type Step []Option

// ExpectSequence waits until pushes match the steps in order, and returns them. Other pushes may come in between.
func (m *MockAPNs) ExpectSequence(steps ...Step) []*Push {
	m.t.Helper()
	within, strict, matches := time.Second, false, []object{}
	for _, step := range steps {
		q := m.query(within, step)
		within, strict, matches = q.within, strict || q.strict, append(matches, q.match)
	}
	return m.found("verify-sequence", object{"steps": matches, "within": milliseconds(within), "strict": strict})
}

// WaitForIdle waits until no push has arrived for a while. If pushes keep arriving, the test fails.
func (m *MockAPNs) WaitForIdle(options ...Option) {
	m.t.Helper()
	q := m.query(10*time.Second, append(options, AnyOutcome))
	body := object{"match": q.match, "count": object{"never": true}, "within": milliseconds(q.quiet)}
	for start := time.Now(); time.Since(start) < q.within; {
		body["after"] = ask[struct{ Seq uint64 }](m, "GET", "seq", nil).Seq
		if _, report := call[[]byte](m.t, "POST", "namespaces/"+m.namespace+"/pushes/verify", body); report == "" {
			return
		}
	}
	m.fail(fmt.Sprintf("Expected no push for %v, but pushes came for %v", q.quiet, q.within))
}

func (m *MockAPNs) expect(q *query, count object) []*Push {
	m.t.Helper()
	return m.found("verify", object{"match": q.match, "within": milliseconds(q.within), "count": count})
}

func (m *MockAPNs) found(route string, body object) (pushes []*Push) {
	m.t.Helper()
	for _, id := range ask[struct{ Matched []string }](m, "POST", "pushes/"+route, body).Matched {
		push := ask[Push](m, "GET", "pushes/"+id, nil)
		pushes = append(pushes, &push)
	}
	return pushes
}
