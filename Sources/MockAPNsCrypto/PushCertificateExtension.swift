internal import CMockAPNsOpenSSL

/// Apple's extensions of push certificates.
///
/// Documented: Apple, certificate-based connection to APNs, for the topics. Observed in public code: the others.
package enum PushCertificateExtension: String, CaseIterable, Sendable {
    case sandbox = "1.2.840.113635.100.6.3.1"
    case production = "1.2.840.113635.100.6.3.2"
    case voipBundleID = "1.2.840.113635.100.6.3.3"
    case voipTopics = "1.2.840.113635.100.6.3.4"
    case topics = "1.2.840.113635.100.6.3.6"

    /// The content of the extensions that only need to be there: NULL.
    package static let null: [UInt8] = [0x05, 0x00]

    /// Writes topics: `SEQUENCE { UTF8String topic, SEQUENCE { UTF8String kind }, … }` (observed in parsers in production
    /// use).
    package static func content(of topics: [(name: String, kind: String)]) -> [UInt8] {
        value(0x30, topics.flatMap { value(0x0c, Array($0.name.utf8)) + value(0x30, value(0x0c, Array($0.kind.utf8))) })
    }

    /// Returns a value with its tag and length.
    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
        return [tag, 0x82, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)] + content
    }

    /// Reads topics: a text, or a sequence of texts, in which everything else is skipped.
    ///
    /// `nil` for anything else.
    package static func topics(in content: [UInt8]) -> [String]? {
        withErrorQueue {
            content.withUnsafeBufferPointer { bytes in
                var at = bytes.baseAddress
                guard let value = d2i_ASN1_TYPE(nil, &at, CLong(bytes.count)) else { return nil }
                defer { ASN1_TYPE_free(value) }
                if let text = text(of: value) { return [text] }
                var start = bytes.baseAddress
                guard value.pointee.type == V_ASN1_SEQUENCE,
                    let items = d2i_ASN1_SEQUENCE_ANY(nil, &start, CLong(bytes.count))
                else { return nil }
                defer { OPENSSL_sk_free(items) }
                return (0..<OPENSSL_sk_num(items)).compactMap { position in
                    let item = OPENSSL_sk_value(items, position)?.assumingMemoryBound(to: ASN1_TYPE.self)
                    defer { ASN1_TYPE_free(item) }
                    return item.flatMap(text)
                }
            }
        }
    }

    private static func text(of value: UnsafeMutablePointer<ASN1_TYPE>) -> String? {
        guard [V_ASN1_UTF8STRING, V_ASN1_IA5STRING, V_ASN1_PRINTABLESTRING].contains(value.pointee.type),
            let string = value.pointee.value.asn1_string, let start = ASN1_STRING_get0_data(string)
        else { return nil }
        let count = Int(ASN1_STRING_length(string))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The content of this extension; `nil` if the certificate does not have it.
    func content(in certificate: borrowing X509Certificate) -> [UInt8]? {
        guard let kind = OBJ_txt2obj(rawValue, 1) else { return nil }
        defer { ASN1_OBJECT_free(kind) }
        let position = X509_get_ext_by_OBJ(certificate.pointer, kind, -1)
        guard position >= 0, let found = X509_get_ext(certificate.pointer, position),
            let content = X509_EXTENSION_get_data(found)
        else { return nil }
        return Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(content), count: Int(ASN1_STRING_length(content))))
    }
}
