import CrashModel
import Testing

@Suite struct VersionOrderTests {
  /// In their order.
  private static let versions = [
    "", "(3)", "0.9", "1", "1.0-beta", "1.0-beta2", "1.0-beta10", "1.0", "1.0 (7)", "1.0 (12)",
    "1.0-1", "1.0-12", "1.0.1", "1.2", "1.10", "2.0", "10", "18446744073709551617",
  ]

  @Test("Versions come in their order, and no pair both ways")
  func order() {
    for (left, earlier) in Self.versions.enumerated() {
      for (right, later) in Self.versions.enumerated() {
        #expect(VersionOrder.precedes(earlier, later) == (left < right), "\(earlier), \(later)")
      }
    }
    #expect(!VersionOrder.precedes("1.01", "1.1") && !VersionOrder.precedes("1.1", "1.01"))
  }
}
