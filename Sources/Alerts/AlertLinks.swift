/// The addresses to which links in alerts lead.
package enum AlertLinks {
  private static let longest = 500

  /// Whether a text is the address of a server, perhaps with a path under which a proxy has it.
  package static func isServer(_ text: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix),
      text.utf8.count <= longest
    else { return false }
    let rest = text.dropFirst(scheme.count)
    // What could end an address in a mail or in the mark-up of a chat is not in one.
    let marks = Set("-._~:/[]%".utf8)
    return rest.first != "/" && !rest.isEmpty
      && rest.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x61...0x7a).contains(byte) || marks.contains(byte)
      }
  }
}
