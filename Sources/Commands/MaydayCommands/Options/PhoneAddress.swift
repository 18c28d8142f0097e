/// The address by which phones reach a server.
enum PhoneAddress {
  /// Why phones get no release from an address; `nil` where they do, and for an address that only this
  /// machine reaches: a proxy may have another.
  static func problem(of address: String) -> String? {
    let address = address.lowercased()
    guard address.hasPrefix("http://") else { return nil }
    let host = address.dropFirst("http://".count).prefix { !"/?#".contains($0) }
    let isLocal =
      host == "localhost" || host.hasPrefix("localhost:") || host.hasPrefix("127.")
      || host.hasPrefix("[::1]")
    guard !isLocal else { return nil }
    return "\(address) is not https: iOS installs nothing from it, and App Center's SDK for Android"
      + " refuses it; see --tls-cert, --trusted-proxy and --server-url of mayday serve"
  }
}

extension ServiceOptions {
  /// Why phones get no release from the server, or from the one that last served the home.
  ///
  /// - Throws: As ``pageAddress()``.
  func addressProblem() throws -> String? {
    try pageAddress().flatMap(PhoneAddress.problem(of:))
  }
}
