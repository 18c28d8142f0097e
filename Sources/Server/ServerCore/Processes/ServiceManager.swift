internal import CrashService
internal import Files
internal import Glibc

/// Notifies the service manager that started the server of its state.
///
/// Source: sd_notify(3): a datagram to the Unix socket named by `$NOTIFY_SOCKET`, where `@` represents the
/// zero byte of an abstract name.
package enum ServiceManager {
  /// Reports that requests are accepted.
  package static func tellReady() { notify("READY=1\nSTATUS=Taking requests\n") }

  /// Reports that the configuration is being reloaded; ``tellReady()`` reports the end.
  package static func tellReloading() {
    notify("RELOADING=1\nMONOTONIC_USEC=\(SteadyClock.nanoseconds / 1_000)\n")
  }

  /// Reports that the server is stopping.
  package static func tellStopping() { notify("STOPPING=1\nSTATUS=Finishing what began\n") }

  private static func notify(_ text: String) {
    guard let variable = getenv("NOTIFY_SOCKET") else { return }
    var name = String(cString: variable).utf8CString.dropLast().map(UInt8.init(bitPattern:))
    guard let first = name.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
      return
    }
    if first == UInt8(ascii: "@") { name[0] = 0 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isFit = withUnsafeMutableBytes(of: &address.sun_path) { path in
      guard name.count < path.count else { return false }
      path.copyBytes(from: name)
      return true
    }
    guard isFit else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    let length = MemoryLayout<sa_family_t>.size + name.count
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        // The receiver may be absent: the server works anyway.
        _ = sendto(
          descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), pointer,
          socklen_t(length))
      }
    }
  }
}
