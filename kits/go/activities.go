package mockapns

import (
	"fmt"
	"time"
)

// Activity is a Live Activity as of when it was asked for. What it does not have is empty.
type Activity struct {
	ID, Device     string // on the server
	Token          string // the update token, in hexadecimal digits
	State          string // active, stale, ended or dismissed
	AttributesType string
	Attributes     map[string]any
	ContentState   map[string]any // the newest
	Channel        string         // that it follows, in Base64
	m              *MockAPNs
}

// Activities returns the Live Activities, in the order of their start, with the latest dismissed ones.
func (p *Phone) Activities() []*Activity {
	p.m.t.Helper()
	list := ask[struct{ Activities []*Activity }](p.m, "GET", "devices/"+p.ID+"/activities", nil).Activities
	for _, activity := range list {
		activity.m = p.m
	}
	return list
}

// StartActivity starts a Live Activity, as the app does it itself, without a push.
func (p *Phone) StartActivity(attributesType string, attributes, contentState map[string]any) *Activity {
	p.m.t.Helper()
	activity := ask[Activity](p.m, "POST", "devices/"+p.ID+"/activities", object{
		"topic": p.Topic, "attributesType": attributesType, "attributes": attributes, "contentState": contentState})
	activity.m = p.m
	return &activity
}

// PutSchema gives an app a JSON Schema, of its payload or content-state:RideAttributes, for the condition Fits.
func (m *MockAPNs) PutSchema(app, name string, schema map[string]any) {
	m.t.Helper()
	ask[[]byte](m, "PUT", "apps/"+app+"/schemas/"+name, schema)
}

// Dismiss dismisses it, as the user does: pushes to its token get 410 from now on.
func (a *Activity) Dismiss() { a.m.t.Helper(); a.change("dismiss") }

// Rotate gives it a new update token: pushes to the old one get 410 from now on.
func (a *Activity) Rotate() { a.m.t.Helper(); a.change("rotate") }

// String is the type and the state.
func (a *Activity) String() string { return a.ID + " " + a.AttributesType + ": " + a.State }

func (a *Activity) change(how string) {
	a.m.t.Helper()
	m := a.m
	*a = ask[Activity](m, "POST", "devices/"+a.Device+"/activities/"+a.ID+"/"+how, nil)
	a.m = m
}

// ExpectActivity waits until a Live Activity of the phone is in this state, and returns the newest that is. If none is in
// time (Within, by default a second), the test fails, and shows the activities and which pushes were ignored, and why.
func (m *MockAPNs) ExpectActivity(phone *Phone, state string, options ...Option) *Activity {
	m.t.Helper()
	end := time.Now().Add(m.query(time.Second, options).within)
	for {
		newest, list := ask[struct{ Seq uint64 }](m, "GET", "seq", nil).Seq, phone.Activities()
		for number := len(list) - 1; number >= 0; number-- {
			if list[number].State == state {
				return list[number]
			}
		}
		left := time.Until(end)
		if left <= 0 {
			report := fmt.Sprintf("Expected a Live Activity that is %s, but the phone has %v", state, list)
			ignored := m.Pushes(Query("is:ignored"))
			for number := len(ignored) - 1; number >= 0 && number >= len(ignored)-5; number-- {
				report += fmt.Sprintf("\n%s was ignored: %s", ignored[number].ID, ignored[number].Delivery.Ignored.Text)
			}
			m.fail(report)
		}
		if left > 100*time.Millisecond {
			left = 100 * time.Millisecond // what happens without a push is seen then
		}
		ask[[]byte](m, "GET", fmt.Sprintf("pushes/count?after=%d&wait=%s", newest, milliseconds(left)), nil)
	}
}
