internal import CrashService
internal import Arguments
package import HTTP

/// Where to listen: `8080`, `0.0.0.0:8080`, `[::]:8080`, or the path of a Unix socket.
package struct ListenOption: ArgumentValue {
  package let argument: String
  package let address: ListenAddress

  package static let valueName = "ADDRESS"
  package static let example: String? = "127.0.0.1:8080, 8080 or /run/mayday.sock"

  /// Creates an address for a port of this machine.
  package init(port: UInt16) {
    argument = "\(port)"
    address = .tcp(address: "127.0.0.1", port: port)
  }

  package init?(argument: String) {
    self.argument = argument
    if argument.hasPrefix("/") || argument.hasPrefix("unix:") {
      let path = argument.hasPrefix("unix:") ? String(argument.dropFirst(5)) : argument
      guard !path.isEmpty else { return nil }
      address = .unix(path: path)
      return
    }
    guard let colon = argument.lastIndex(of: ":") else {
      guard let port = UInt16(argument) else { return nil }
      address = .tcp(address: "127.0.0.1", port: port)
      return
    }
    guard let port = UInt16(argument[argument.index(after: colon)...]) else { return nil }
    var host = String(argument[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    address = .tcp(address: host.isEmpty ? "::" : host, port: port)
  }

  /// Returns the URL at which a client on this machine reaches it.
  package func url(port: UInt16, isSecure: Bool) -> String {
    guard case .tcp(let host, _) = address else { return argument }
    let name = host == "::" || host == "0.0.0.0" ? "127.0.0.1" : host
    let shown = name.contains(":") ? "[\(name)]" : name
    return "\(isSecure ? "https" : "http")://\(shown):\(port)"
  }
}
