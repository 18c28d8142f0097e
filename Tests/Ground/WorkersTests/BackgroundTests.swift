import Testing
import Workers

@Suite struct BackgroundTests {
  @Test("The result is delivered once, from a thread or from the owner", arguments: [true, false])
  func value(isOn: Bool) {
    let work = Background(isOn: isOn) { (0..<1_000).reduce(0, +) }
    #expect(work.value() == 499_500)
  }

  @Test("The result need not be requested")
  func unasked() { _ = Background(isOn: true) { 1 } }
}
