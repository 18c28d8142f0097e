import HTTPClient
import TestSupport
import Testing

@Suite("Retries")
struct RetryPlanTests {
  private var random = SplitMix(seed: 1)

  @Test("The wait doubles up to a limit, and is randomised")
  mutating func doubling() throws {
    let plan = RetryPlan()
    for (failures, most) in [(1, 0.5), (2, 1), (3, 2), (5, 8)] {
      let waits = (0..<20).compactMap { _ in plan.wait(after: failures, asked: nil, using: &random)
      }
      #expect(waits.count == 20 && Set(waits).count > 1)
      #expect(waits.allSatisfy { (most / 2...most).contains($0) })
    }
    #expect(plan.wait(after: plan.tries, asked: nil, using: &random) == nil)
  }

  @Test("The server's Retry-After counts, within bounds")
  mutating func asked() throws {
    let plan = RetryPlan()
    #expect(plan.wait(after: 1, asked: 7, using: &random) == 7)
    #expect(plan.wait(after: 1, asked: plan.patience + 1, using: &random) == nil)
  }

  @Test("No server, no answer", arguments: ["http://127.0.0.1:1/", "file:///etc/hostname"])
  func unreachable(url: String) throws {
    var plan = RetryPlan()
    plan.tries = 2
    plan.first = 0.01
    let sender = try WebSender(agent: "test", plan: plan)
    var waits = 0
    #expect(throws: WebError.self) {
      try sender.send(WebRequest("GET", url)) { _, _ in waits += 1 }
    }
    #expect(waits == 1)
  }
}
