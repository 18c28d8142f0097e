/// Server addresses for links in alerts.
package enum AlertLinks {
  private static let longest = 500

  /// Whether a text is a server's address, perhaps with the path at which a proxy serves it.
  package static func isServer(_ text: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix),
      text.utf8.count <= longest
    else { return false }
    let rest = text.dropFirst(scheme.count)
    // No characters that could end an address in a mail or in a chat's markup.
    let marks = Set("-._~:/[]%".utf8)
    return rest.first != "/" && !rest.isEmpty
      && rest.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x61...0x7a).contains(byte) || marks.contains(byte)
      }
  }
}
