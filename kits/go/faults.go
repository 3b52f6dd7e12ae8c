package mockapns

import "time"

// Effect is what a fault does: the debug API's do, such as Effect{"body": "truncated"}.
type Effect map[string]any

// Effects without a value.
var (
	GoAway          = Effect{"goaway": object{}}                          // GOAWAY after the response
	ResetStream     = Effect{"stream": object{"reset": "INTERNAL_ERROR"}} // instead of the response
	ResetConnection = Effect{"connection": "rst"}                         // instead of the response
	Lose            = Effect{"lose": true}                                // the push is accepted, but never delivered
)

// Respond answers with a reason, such as TooManyRequests, and its status.
func Respond(reason string) Effect { return Effect{"respond": object{"reason": reason}} }

// RespondStatus answers with a status.
func RespondStatus(status int) Effect { return Effect{"respond": object{"status": status}} }

// Delay delays the response.
func Delay(by time.Duration) Effect { return Effect{"delay": object{"for": milliseconds(by)}} }

// Fault is a fault on the server.
type Fault struct {
	ID string
	m  *MockAPNs
}

// AddFault adds a fault for the pushes that match. If several apply to a push, only the first one fires.
func (m *MockAPNs) AddFault(effect Effect, options ...Option) *Fault {
	m.t.Helper()
	q := m.query(0, options)
	return &Fault{ask[Fault](m, "POST", "faults", object{"do": effect, "match": q.match, "when": q.when}).ID, m}
}

// AddPreset adds an observed or documented problem by its name, such as goaway-then-refuse, with its parameters, which
// docs/reference.md lists. Times and Skip are parameters, too.
func (m *MockAPNs) AddPreset(name string, parameters map[string]any, options ...Option) *Fault {
	m.t.Helper()
	q := m.query(0, options)
	q.when["match"] = q.match
	for parameter, value := range parameters {
		q.when[parameter] = value
	}
	return &Fault{ask[Fault](m, "POST", "faults/presets/"+name, q.when).ID, m}
}

// RemoveFaults removes all faults.
func (m *MockAPNs) RemoveFaults() { m.t.Helper(); ask[[]byte](m, "DELETE", "faults?all=true", nil) }

// Fired returns how often the fault has fired.
func (f *Fault) Fired() int {
	f.m.t.Helper()
	return ask[struct{ Stats struct{ Fired int } }](f.m, "GET", "faults/"+f.ID, nil).Stats.Fired
}

// Remove removes the fault.
func (f *Fault) Remove() { f.m.t.Helper(); ask[[]byte](f.m, "DELETE", "faults/"+f.ID, nil) }
