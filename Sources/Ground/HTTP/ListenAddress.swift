internal import CMicrohttpd
internal import Glibc

/// An address that a server listens on.
public enum ListenAddress: Sendable, Equatable {
  /// An IPv4 or IPv6 address (`::` accepts both) and a port, 0 for any free one.
  case tcp(address: String, port: UInt16)
  /// The path of a Unix socket; an abandoned one is replaced.
  case unix(path: String)
  /// A listening descriptor, such as one passed by systemd; left open when the server stops.
  case descriptor(Int32)

  /// The descriptors that systemd passed to this process, by `LISTEN_FDS` for the process in
  /// `LISTEN_PID`. The variables are unset, as child processes must not see them.
  ///
  /// Source: sd_listen_fds(3).
  public static func inherited() -> [ListenAddress] {
    defer {
      unsetenv("LISTEN_PID")
      unsetenv("LISTEN_FDS")
      unsetenv("LISTEN_FDNAMES")
    }
    guard let process = getenv("LISTEN_PID"), let count = getenv("LISTEN_FDS"),
      Int32(String(cString: process)) == getpid(),
      let count = Int32(String(cString: count)), count > 0, count <= 64
    else { return [] }
    return (3..<3 + count).map { descriptor in
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return .descriptor(descriptor)
    }
  }
}

/// A listening socket.
struct Listener {
  let descriptor: Int32
  /// Whether it was passed in: others keep listening on it, so it is neither shut down nor closed.
  let isBorrowed: Bool
  let path: String?

  init(_ address: ListenAddress) throws(HTTPError) {
    switch address {
    case .descriptor(let descriptor):
      var value: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0, value != 0
      else { throw .start("descriptor \(descriptor) is not a listening socket") }
      (self.descriptor, isBorrowed, path) = (descriptor, true, nil)
    case .tcp(let address, let port):
      descriptor = try Self.listen(address, port)
      (isBorrowed, path) = (false, nil)
    case .unix(let path):
      descriptor = try Self.listen(path)
      (isBorrowed, self.path) = (false, path)
    }
  }

  /// The port, 0 for a Unix socket.
  var port: UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &size) == 0 else { return 0 }
        return PeerAddress(address)?.port ?? 0
      }
    }
  }

  /// Refuses new clients at once instead of leaving them in the queue.
  func shut() {
    if !isBorrowed { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  func close() {
    guard !isBorrowed else { return }
    if let path { unlink(path) }
    Glibc.close(descriptor)
  }

  private static func failure(_ what: String) -> HTTPError {
    .start("\(what): \(String(cString: strerror(errno)))")
  }

  private static func listen(_ address: String, _ port: UInt16) throws(HTTPError) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let name = address == "localhost" ? "127.0.0.1" : address
    guard getaddrinfo(name, "\(port)", &hints, &found) == 0, let found else {
      throw .start("\(address) is not an address")
    }
    defer { freeaddrinfo(found) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(found.pointee.ai_family, type, 0)
    guard descriptor >= 0 else { throw failure("socket") }
    var on: Int32 = 1
    var off: Int32 = 0
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
    if name == "::" { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size) }
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
      Glibc.listen(descriptor, 1024) == 0
    else {
      let error = failure("\(address):\(port)")
      Glibc.close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func listen(_ path: String) throws(HTTPError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw .start("\(path): too long for a Unix socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw failure("socket") }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isListening = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // A socket with a listener keeps the name; an abandoned one is replaced.
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
          let probe = socket(AF_UNIX, type, 0)
          let isTaken = connect(probe, address, size) == 0
          Glibc.close(probe)
          if isTaken {
            errno = EADDRINUSE
            return false
          }
          unlink(path)
        }
        return bind(descriptor, address, size) == 0 && Glibc.listen(descriptor, 1024) == 0
      }
    }
    guard isListening else {
      let error = failure(path)
      Glibc.close(descriptor)
      throw error
    }
    return descriptor
  }
}
