import Bytes
import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

/// Answers that wait for something, such as a sync of the disk, without a thread.
@Suite(.serialized)
struct HeldResponseTests {
  /// Answers that are held until a test ends their holds.
  private final class Held: Sendable {
    private let holds = Mutex<[ResponseHold]>([])

    func response(_ text: String) -> Response {
      var response = Response.text(text)
      let hold = ResponseHold()
      response.hold = hold
      holds.withLock { $0.append(hold) }
      return response
    }

    func take(_ count: Int) -> [ResponseHold] {
      while holds.withLock({ $0.count }) < count { usleep(1_000) }
      return holds.withLock { holds in
        defer { holds = [] }
        return holds
      }
    }
  }

  private static func server(_ held: Held, workers: Int) throws -> TestServer {
    try TestServer {
      $0.workers = workers
      $0.answer = { $0 is TestFailure ? .problem(.insufficientStorage) : nil }
    } routes: { router in
      router.post("/held", body: .memory(limit: .kibibytes(64))) {
        held.response("\($0.bytes.count)")
      }
    }
  }

  @Test("An answer is not sent before its hold ends, and takes no worker meanwhile")
  func holds() throws {
    let held = Held()
    let server = try Self.server(held, workers: 2)
    let clients = (1...20).map { size in
      let client = server.client()
      client.request("POST", "/held", body: [UInt8](repeating: 1, count: size))
      return client
    }
    let holds = held.take(20)
    let other = server.client()
    other.request("GET", "/hello")
    #expect(other.answer()?.status == 200, "both workers are free")
    #expect(server.records.all.withLock { $0.allSatisfy { $0.pattern != "/held" } })
    for hold in holds { hold.end(.success(())) }
    for (index, client) in clients.enumerated() {
      #expect(client.answer()?.text == "\(index + 1)")
    }
    // The connection goes on.
    clients[0].request("GET", "/hello")
    #expect(clients[0].answer()?.status == 200)
  }

  @Test("A failure is answered as if the handler had thrown it")
  func failure() throws {
    let held = Held()
    let server = try Self.server(held, workers: 1)
    let client = server.client()
    client.request("POST", "/held", body: [1])
    for hold in held.take(1) { hold.end(.failure(TestFailure())) }
    #expect(client.answer()?.status == 507)
  }

  @Test("A server that stops waits for answers that are held")
  func stops() throws {
    let held = Held()
    let server = try Self.server(held, workers: 1)
    let client = server.client()
    client.request("POST", "/held", body: [1, 2])
    let holds = held.take(1)
    inParallel(2) { number in
      if number == 0 {
        #expect(server.server.stop(within: .seconds(10)))
      } else {
        usleep(100_000)
        for hold in holds { hold.end(.success(())) }
      }
    }
    #expect(client.answer()?.text == "2")
  }

  @Test("A hold that ended before the answer was made does not delay it")
  func endedBefore() throws {
    let server = try TestServer {
      _ in
    } routes: {
      $0.get("/ended") { _ in
        var response = Response.text("at once")
        let hold = ResponseHold()
        hold.end(.success(()))
        response.hold = hold
        return response
      }
    }
    let client = server.client()
    client.request("GET", "/ended")
    #expect(client.answer()?.text == "at once")
  }
}
