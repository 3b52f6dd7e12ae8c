"""mock-apns in tests: each has a namespace of a server. With pytest use the fixture `mock_apns`, else `MockAPNs`."""

from ._mock import MockAPNs
from ._objects import (Activity, Channel, Clock, Conditions, Fault, Feedback, Key, Notification, Phone, Push,
                       PushWarning)
from ._server import MockAPNsError

__all__ = ["Activity", "Channel", "Clock", "Conditions", "Fault", "Feedback", "Key", "MockAPNs", "MockAPNsError",
           "Notification", "Phone", "Push", "PushWarning"]
