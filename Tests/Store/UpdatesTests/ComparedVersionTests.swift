import TestSupport
import Testing

/// The rules of the clients that other tests use against the server.
@Suite("Versions as an SDK compares them")
struct ComparedVersionTests {
  @Test(
    "What is a version",
    arguments: [
      ("1", true), ("v1.2", true), ("V1.2.3", true), ("1.x", true), ("1.2.*", true),
      ("0.0.0", true),
      ("1.2.3-beta.1+5", true), ("1.2.3+5", true), ("1.2.3.4", false), ("1.02", false), ("", false),
      ("x", false), ("1.2-beta", false), ("1.2.3-", false), ("1..2", false), ("1.2.", false),
      ("a.b", false), ("1.2.3-a..b", false), ("01", false), ("-1", false), ("1.2.3 ", false),
    ])
  func isVersion(_ text: String, _ isVersion: Bool) {
    #expect((ComparedVersion(text) != nil) == isVersion)
  }

  @Test("The order of versions")
  func order() throws {
    let rising = [
      "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
      "1.0.0-beta.11", "1.0.0-rc.1", "1.0", "1.9", "1.10.0", "99999999999999999999.0.0",
      "100000000000000000000.0.0",
    ]
    for (index, one) in rising.enumerated() {
      for (place, other) in rising.enumerated() {
        let order = ComparedVersion.compare(
          try #require(ComparedVersion(one)), try #require(ComparedVersion(other)))
        #expect(order.signum() == (index - place).signum(), "\(one) and \(other)")
      }
    }
    let one = try #require(ComparedVersion("1.0.0+1"))
    let other = try #require(ComparedVersion("v1.0.0+2"))
    #expect(ComparedVersion.compare(one, other) == 0)
  }

  @Test("Numbers in texts")
  func numbers() {
    for (left, right, order) in [
      ("9", "10", -1), ("10.0", "9.3.5", 1), ("1.2", "1.2", 0), ("1.2", "1.2.1", -1),
      ("01", "1", 0),
      ("a1", "b", -1), ("", "1", -1),
    ] {
      #expect(NumericText.compare(left, right).signum() == order, "\(left) and \(right)")
    }
  }
}
