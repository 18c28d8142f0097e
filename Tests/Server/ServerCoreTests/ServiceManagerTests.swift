import Glibc
import TestSupport
import Testing

@testable import ProgramSupport

/// The server under a service manager, which the test plays as sd_notify(3) describes.
@Suite("The service manager", .serialized)
struct ServiceManagerTests {
  private let folder = ScratchFolder()

  private func socket(_ path: String) throws -> Int32 {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    #expect(status == 0)
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
  }

  private func receive(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test("It is notified when the server accepts requests, and when it is about to end")
  func notify() throws {
    let path = folder.path("notify")
    let descriptor = try socket(path)
    defer { close(descriptor) }
    let server = try #require(
      RunningServer(
        home: folder.path("home"), options: [], environment: ["NOTIFY_SOCKET=\(path)"]))
    #expect(receive(descriptor).split(separator: "\n").contains("READY=1"))
    #expect(server.ask("GET", "/healthz")?.status == 200)
    #expect(server.stop() == 0)
    #expect(receive(descriptor).split(separator: "\n").contains("STOPPING=1"))
  }
}
