internal import Bytes
internal import HTTP
internal import ServerCore

/// Headers for bytes that an app has sent: whatever they are, browsers must not run them, and pages of other
/// sites must not load them.
enum DownloadHeaders {
  static func attachment(named name: String) -> Headers { fields("attachment", name) }

  /// For bytes that a browser may display, such as a picture.
  static func inline(named name: String) -> Headers { fields("inline", name) }

  private static func fields(_ disposition: String, _ name: String) -> Headers {
    let name = safe(name)
    // Two forms (RFC 6266): the first, in ASCII, is for old clients.
    let plain = name.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7f
      return isPlain && !"\"\\%".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    return [
      "Content-Disposition":
        "\(disposition); filename=\"\(String(plain))\"; filename*=UTF-8''\(name.inAddress)",
      "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "private, no-cache",
    ]
  }

  /// A name that cannot leave the download folder and displays as written.
  private static func safe(_ name: String) -> String {
    var text = ""
    for character in name.printable {
      text.append("/\\:*?<>|\"".contains(character) ? "_" : character)
    }
    while text.hasPrefix(".") { text.removeFirst() }
    return text.isEmpty ? "attachment" : String(text.prefix(150))
  }
}
