import Testing

@testable import ServerStore

@Suite struct IntakeStateTests {
  @Test("The numbers of states equal those in existing homes")
  func numbers() {
    #expect(IntakeState.waiting.rawValue == 0)
    #expect(IntakeState.working.rawValue == 1)
    #expect(IntakeState.quarantined.rawValue == 2)
  }
}
