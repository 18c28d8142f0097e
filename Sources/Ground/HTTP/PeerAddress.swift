internal import CMicrohttpd
internal import Glibc

/// The address at the other end of a connection.
struct PeerAddress: Equatable {
  /// 4 or 16 bytes; none for a Unix socket.
  let bytes: [UInt8]
  let port: UInt16

  init?(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      (bytes, port) = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        (
          withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) },
          UInt16(bigEndian: $0.pointee.sin_port)
        )
      }
    case AF_INET6:
      let (all, port) = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        (
          withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) },
          UInt16(bigEndian: $0.pointee.sin6_port)
        )
      }
      self.port = port
      bytes = Self.unmapped(all)
    case AF_UNIX: (bytes, port) = ([], 0)
    default: return nil
    }
  }

  init?(_ text: some StringProtocol) {
    if text.isSame(as: "unix") {
      (bytes, port) = ([], 0)
      return
    }
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, String(text), &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, String(text), &six) == 1 {
      bytes = Self.unmapped(withUnsafeBytes(of: six) { Array($0) })
    } else {
      return nil
    }
    port = 0
  }

  /// The IPv4 address that a dual-stack socket shows as `::ffff:1.2.3.4` (RFC 4291 2.5.5.2).
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]) ? Array(bytes[12...]) : bytes
  }

  var text: String {
    guard !bytes.isEmpty else { return "unix" }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension PeerAddress {
  /// The unit that limits apply to: the IPv4 address, or the 64-bit network of an IPv6 address, since a host
  /// with one address of it has them all (RFC 6177).
  var network: PeerAddress { bytes.count == 16 ? PeerAddress(bytes: Array(bytes[..<8])) : self }

  /// The network as text: see ``RequestHead/network``.
  var networkText: String { bytes.count == 16 ? network.text + "/64" : text }

  private init(bytes: [UInt8]) {
    self.bytes = bytes + [UInt8](repeating: 0, count: 8)
    port = 0
  }
}

/// The other end of a connection, and its texts, which each request needs.
struct ConnectionPeer {
  let address: PeerAddress
  let text: String
  let network: String

  init(_ address: PeerAddress) {
    self.address = address
    text = address.text
    network = address.networkText
  }
}

/// The proxies whose headers are trusted.
struct TrustedProxies {
  private struct Network {
    let bytes: [UInt8]
    let bits: Int

    func contains(_ address: PeerAddress) -> Bool {
      guard address.bytes.count == bytes.count else { return false }
      return zip(bytes, address.bytes).enumerated().allSatisfy { index, pair in
        let kept = min(max(bits - index * 8, 0), 8)
        return (pair.0 ^ pair.1) >> (8 - kept) == 0 || kept == 0
      }
    }
  }

  private let networks: [Network]

  init(_ texts: [String]) throws(HTTPError) {
    var networks: [Network] = []
    for text in texts {
      let parts = text.split(separator: "/", maxSplits: 1)
      guard let first = parts.first, let address = PeerAddress(first),
        let bits = parts.count == 2 ? Int(parts[1]) : address.bytes.count * 8,
        (0...address.bytes.count * 8).contains(bits)
      else { throw .start("\(text) is not the address or network of a proxy") }
      networks.append(Network(bytes: address.bytes, bits: bits))
    }
    self.networks = networks
  }

  func contains(_ address: PeerAddress) -> Bool { networks.contains { $0.contains(address) } }

  /// Fills in the client's address: the peer, or the one that a trusted peer names. In a chain of proxies,
  /// the last untrusted address counts: anything before it may be forged.
  func tell(_ peer: ConnectionPeer?, isSecure: Bool, to head: inout RequestHead) {
    head.isSecure = isSecure
    guard let peer else { return }
    head.setPeer(peer)
    guard contains(peer.address) else { return }
    head.isFromTrustedProxy = true
    for name in head.headers.list("X-Forwarded-For").reversed() {
      guard let address = PeerAddress(name), !address.bytes.isEmpty else { break }
      head.peer = address.text
      if !contains(address) { break }
    }
    if let scheme = head.headers["X-Forwarded-Proto"] { head.isSecure = scheme.isSame(as: "https") }
  }
}
