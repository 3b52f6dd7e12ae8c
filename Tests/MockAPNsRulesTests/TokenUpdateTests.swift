import Testing

@testable import MockAPNsRules

/// How often a provider token may change.
@Suite struct TokenUpdateTests {
    private static let minute: Int64 = 60

    private static func token(_ issuedAt: Double, key: String = "ABC123DEFG") -> TokenFields {
        var token = TokenFields()
        token.keyID = key
        token.issuedAt += issuedAt
        return token
    }

    private static let soon = Timestamp(microseconds: Scenario.start.microseconds + 1)

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(microseconds: Scenario.start.microseconds + seconds * 1_000_000)
    }

    @Test func `a key's next token is accepted after 20 minutes, and the old one all the time`() {
        let connection = Connection()
        let (old, new) = (Self.token(0), Self.token(1))
        #expect(connection.push(old, at: Self.moment(0)).reason == nil)
        let early = connection.push(new, at: Self.moment(20 * Self.minute - 1))
        #expect(early.reason == .tooManyProviderTokenUpdates)
        #expect(early.verification == .tooManyUpdates)
        // The one before goes on working.
        #expect(connection.push(old, at: Self.moment(20 * Self.minute - 1)).reason == nil)
        #expect(connection.push(new, at: Self.moment(20 * Self.minute)).reason == nil)
        // From now on the new one is the connection's token, for twenty minutes again. Requests under way may still
        // carry the old one.
        #expect(connection.push(old, at: Self.moment(20 * Self.minute + 1)).reason == nil)
        #expect(
            connection.push(Self.token(2), at: Self.moment(40 * Self.minute - 1)).reason == .tooManyProviderTokenUpdates
        )
        #expect(connection.push(Self.token(2), at: Self.moment(40 * Self.minute)).reason == nil)
        #expect(connection.push(new, at: Self.moment(40 * Self.minute + 1)).reason == nil)
        // The one before the last is one too many.
        #expect(connection.push(old, at: Self.moment(40 * Self.minute + 1)).reason == .tooManyProviderTokenUpdates)
    }

    /// A microsecond counts.
    @Test func `the interval ends exactly to the microsecond`() {
        let connection = Connection()
        _ = connection.push(Self.token(0))
        let full = Timestamp(microseconds: Scenario.start.microseconds + 1_200_000_000)
        let short = Timestamp(microseconds: full.microseconds - 1)
        #expect(connection.push(Self.token(1), at: short).reason == .tooManyProviderTokenUpdates)
        #expect(connection.push(Self.token(1), at: full).reason == nil)
    }

    /// The time runs from the first sight of a token, however often it is used or another one is refused.
    @Test func `using the old token or trying the new one does not prolong the interval`() {
        let connection = Connection()
        for minute in 0..<Int64(20) {
            let now = Self.moment(minute * Self.minute)
            #expect(connection.push(Self.token(0), at: now).reason == nil)
            if minute > 0 { #expect(connection.push(Self.token(1), at: now).reason == .tooManyProviderTokenUpdates) }
        }
        #expect(connection.push(Self.token(1), at: Self.moment(20 * Self.minute)).reason == nil)
    }

    /// The server's clock counts: a token that claims to be younger by an hour does not change anything.
    @Test func `the interval runs by the server's clock, not by issue times`() {
        let connection = Connection()
        _ = connection.push(Self.token(-3_000))
        #expect(connection.push(Self.token(600), at: Self.moment(1)).reason == .tooManyProviderTokenUpdates)
    }

    /// Hosts that share an `iat` send different signatures, and may.
    @Test func `a token with the same issue time is the same token`() {
        let connection = Connection()
        var request = PushRequest()
        #expect(connection.push(request: request).reason == nil)
        request.set("authorization", "bearer another.token.altogether")
        #expect(connection.push(request: request).reason == nil)
    }

    @Test func `every key has its own interval`() {
        let connection = Connection()
        #expect(connection.push(Self.token(0, key: "FIRSTKEY01")).reason == nil)
        #expect(connection.push(Self.token(1, key: "SECONDKEY0")).reason == nil)
        #expect(connection.push(Self.token(0, key: "FIRSTKEY01")).reason == nil)
        #expect(connection.push(Self.token(2, key: "SECONDKEY0")).reason == .tooManyProviderTokenUpdates)
        #expect(connection.push(Self.token(2, key: "FIRSTKEY01")).reason == .tooManyProviderTokenUpdates)
    }

    @Test func `each connection has an interval of its own`() {
        let authority = FakeAuthority()
        #expect(Connection(authority: authority).push(Self.token(0)).reason == nil)
        #expect(Connection(authority: authority).push(Self.token(1)).reason == nil)
    }

    @Test func `limit per key spans connections`() {
        var options = RuleOptions()
        options.tokenUpdateScope = .key
        let authority = FakeAuthority()
        let first = Connection(authority: authority)
        let second = Connection(authority: authority)
        #expect(first.push(Self.token(0), options: options).reason == nil)
        #expect(second.push(Self.token(1), options: options).reason == .tooManyProviderTokenUpdates)
        #expect(second.push(Self.token(0), options: options).reason == nil)
        let later = Self.moment(20 * Self.minute)
        #expect(second.push(Self.token(1), at: later, options: options).reason == nil)
        #expect(first.push(Self.token(2), at: later, options: options).reason == .tooManyProviderTokenUpdates)
    }

    @Test func `tokens of all keys of a team have one interval if that is chosen`() {
        var options = RuleOptions()
        options.tokenUpdateScope = .team
        let authority = FakeAuthority()
        func push(_ token: TokenFields, at seconds: Int64 = 0) -> Reason? {
            Connection(authority: authority).push(token, at: Self.moment(seconds), options: options).reason
        }
        var other = Self.token(1, key: "SECONDKEY0")
        #expect(push(Self.token(0)) == nil)
        #expect(push(other) == .tooManyProviderTokenUpdates)
        // Two keys with one iat are two tokens.
        #expect(push(Self.token(0, key: "SECONDKEY0")) == .tooManyProviderTokenUpdates)
        #expect(push(other, at: 20 * Self.minute) == nil)
        #expect(push(Self.token(0), at: 20 * Self.minute) == nil)
        other.teamID = "ZZZ999ZZZ9"
        #expect(push(other) == nil)
    }

    @Test func `tokens of all keys from one address have one interval if that is chosen`() {
        var options = RuleOptions()
        options.tokenUpdateScope = .address
        let authority = FakeAuthority()
        func push(_ token: TokenFields, from address: String) -> Reason? {
            Connection(address: address, authority: authority).push(token, options: options).reason
        }
        #expect(push(Self.token(0), from: "192.0.2.1") == nil)
        #expect(push(Self.token(0, key: "SECONDKEY0"), from: "192.0.2.1") == .tooManyProviderTokenUpdates)
        #expect(push(Self.token(0, key: "SECONDKEY0"), from: "192.0.2.2") == nil)
    }

    @Test func `invalid tokens count if that is chosen`() {
        var invalid = Self.token(0)
        invalid.verification = .badSignature
        for counts in [false, true] {
            var options = RuleOptions()
            options.countsInvalidTokens = counts
            let connection = Connection()
            #expect(connection.push(invalid, options: options).reason == .invalidProviderToken)
            let expected: Reason? = counts ? .tooManyProviderTokenUpdates : nil
            #expect(connection.push(Self.token(1), options: options).reason == expected)
            // Observed: also a token that gets InvalidProviderToken otherwise.
            invalid.issuedAt += 2
            let again = connection.push(invalid, options: options)
            #expect(again.reason == (counts ? .tooManyProviderTokenUpdates : .invalidProviderToken))
            invalid.issuedAt -= 2
        }
    }

    @Test func `a connection is blocked if that is chosen`() {
        var options = RuleOptions()
        options.blocksAfterTokenUpdate = true
        let authority = FakeAuthority()
        let connection = Connection(authority: authority)
        let (old, new) = (Self.token(0), Self.token(1))
        #expect(connection.push(old, options: options).reason == nil)
        let minute = Self.moment(Self.minute)
        #expect(connection.push(new, at: minute, options: options).reason == .tooManyProviderTokenUpdates)
        let blocked = connection.push(old, at: Self.moment(20 * Self.minute - 1), options: options)
        #expect(blocked.reason == .tooManyProviderTokenUpdates)
        #expect(Connection(authority: authority).push(old, at: minute, options: options).reason == nil)
        #expect(connection.push(old, at: Self.moment(20 * Self.minute), options: options).reason == nil)
        #expect(connection.push(new, at: Self.moment(20 * Self.minute), options: options).reason == nil)
    }

    @Test func `an interval of 0 allows any number of tokens`() {
        var options = RuleOptions()
        options.tokenUpdateInterval = 0
        let connection = Connection()
        for issuedAt in 0..<10 {
            #expect(connection.push(Self.token(Double(issuedAt)), options: options).reason == nil)
        }
    }

    @Test func `a shorter interval allows tokens sooner`() {
        var options = RuleOptions()
        options.tokenUpdateInterval = 2_000_000
        let connection = Connection()
        #expect(connection.push(Self.token(0), options: options).reason == nil)
        let early = connection.push(Self.token(1), at: Self.moment(1), options: options)
        #expect(early.reason == .tooManyProviderTokenUpdates)
        #expect(connection.push(Self.token(1), at: Self.moment(2), options: options).reason == nil)
    }

    /// A refused token is not the connection's token.
    @Test func `a refused token does not start the interval`() {
        let connection = Connection()
        #expect(connection.push(Self.token(-7_200)).reason == .expiredProviderToken)
        #expect(connection.push(Self.token(0)).reason == nil)
    }

    /// A peer with very many keys cannot make the list grow; the keys seen longest ago are forgotten.
    @Test func `keeps the 64 keys seen last`() {
        var windows = TokenUpdateWindows()
        func admit(_ issuedAt: Double, key: Int) -> Bool {
            let use = TokenUse(owner: "KEY\(key)", keyID: "KEY\(key)", issuedAt: issuedAt)
            return windows.admit(use, at: Scenario.start, interval: 1) != .early(until: Self.soon)
        }
        for key in 0..<64 { #expect(admit(0, key: key)) }
        #expect(!admit(1, key: 0))
        #expect(admit(0, key: 64))
        #expect(admit(1, key: 0))
        #expect(!admit(1, key: 2))
        #expect(!admit(1, key: 64))
    }

    /// An old token is refused however good it was a second ago.
    @Test func `the age of a token is checked on every push`() {
        let connection = Connection()
        let token = TokenFields()
        let issued = Int64(token.issuedAt)
        #expect(connection.push(token, at: Timestamp(seconds: issued + 3_599)).reason == nil)
        #expect(connection.push(token, at: Timestamp(seconds: issued + 3_600)).reason == nil)
        let late = Timestamp(microseconds: (issued + 3_600) * 1_000_000 + 1)
        #expect(connection.push(token, at: late).reason == .expiredProviderToken)
        #expect(connection.push(token, at: Timestamp(seconds: issued + 3_601)).reason == .expiredProviderToken)
    }

    @Test func `a token may be issued up to an hour in the future`() {
        let token = TokenFields()
        let issued = Int64(token.issuedAt)
        #expect(Connection().push(token, at: Timestamp(seconds: issued - 3_600)).reason == nil)
        let tooEarly = Timestamp(microseconds: (issued - 3_600) * 1_000_000 - 1)
        let outcome = Connection().push(token, at: tooEarly)
        #expect(outcome.reason == .expiredProviderToken)
        #expect(outcome.verification == .issuedInFuture)
    }
}
