package import HTTP

/// The cookies of a tester's browser after it accepted an invitation: one random text per app; the store has
/// only its hash.
package enum TesterCookie {
  private static let prefix = "mayday_tester_"
  /// Seconds for which a browser stays signed in.
  package static let lifetime: Int64 = 180 * 86_400
  /// The maximum number of a request's cookies that are checked.
  private static let limit = 50

  /// Returns a request's sessions, and their names.
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

  /// Returns the name of a tester's cookie; a tester belongs to one app.
  package static func name(ofTester id: String) -> String {
    prefix + String(id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(16))
  }

  /// Returns the header field that sets the cookie, for testers' pages only; without a text, deletes it.
  package static func field(_ name: String, _ text: String?, for head: RequestHead) -> String {
    var field = "\(name)=\(text ?? ""); Path=\(MountPoint.path(of: head))/install; HttpOnly"
    field += "; SameSite=Lax; Max-Age=\(text == nil ? 0 : lifetime)"
    // A browser would not send it back over plain HTTP.
    if head.isSecure { field += "; Secure" }
    return field
  }
}
