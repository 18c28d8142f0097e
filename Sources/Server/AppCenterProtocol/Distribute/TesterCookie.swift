package import HTTP

/// What a tester's browser keeps after it accepted an invitation: for each app a random text, of which the
/// store has only the hash.
package enum TesterCookie {
  private static let prefix = "mayday_tester_"
  /// Seconds for which a browser stays signed in.
  package static let lifetime: Int64 = 180 * 86_400
  /// The most cookies of a request that are looked at.
  private static let limit = 50

  /// The sessions that a request has, and their names.
  package static func sessions(of head: RequestHead) -> [(name: String, text: String)] {
    var found: [(name: String, text: String)] = []
    for field in head.headers.values(of: "Cookie") {
      for pair in field.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, found.count < limit else { continue }
        let name = parts[0].drop { $0 == " " }
        guard name.hasPrefix(prefix), isPlain(name), isPlain(parts[1]) else { continue }
        found.append((String(name), String(parts[1])))
      }
    }
    return found
  }

  private static func isPlain(_ text: Substring) -> Bool {
    text.utf8.count <= 100
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"): true
        default: false
        }
      }
  }

  /// The name of the cookie of a tester, who is one of one app.
  package static func name(ofTester id: String) -> String {
    prefix + String(id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(16))
  }

  /// The field that sets it, for the pages of testers alone; without a text it deletes it.
  package static func field(_ name: String, _ text: String?, for head: RequestHead) -> String {
    var field = "\(name)=\(text ?? ""); Path=\(MountPoint.path(of: head))/install; HttpOnly"
    field += "; SameSite=Lax; Max-Age=\(text == nil ? 0 : lifetime)"
    // A browser would not send it back over plain HTTP.
    if head.isSecure { field += "; Secure" }
    return field
  }
}
