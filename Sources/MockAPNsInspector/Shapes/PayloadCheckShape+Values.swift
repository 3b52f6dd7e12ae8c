package import MockAPNsAPI
package import MockAPNsQuery
internal import MockAPNsRules

extension APIObject<PayloadCheckShape> {
    /// The result of a check.
    package init(_ check: PayloadCheck) {
        self.init()
        self.answer = APIObject<PayloadCheckShape.Answer> {
            $0.check = check.refusal?.check
            $0.expected = check.refusal?.expected
            $0.hint = check.refusal?.reason.row.hint.description
            $0.reason = check.refusal?.reason.name
            $0.status = Int(check.refusal?.reason.status ?? 200)
        }
        self.errors = check.count(.error)
        self.limit = check.limit
        self.lints = check.findings.map(APIObject<LintShape>.init)
        self.pushType = check.pushType.name
        self.pushTypeDerived = check.pushType.isDerived
        self.size = check.size
        self.warnings = check.count(.warning)
    }
}
