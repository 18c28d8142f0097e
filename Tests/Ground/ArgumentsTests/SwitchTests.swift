import Testing

@testable import Arguments

@Suite("Switches, and optional values")
struct SwitchTests {
  private struct Scales: Command {
    static let name = "scales"
    static let summary = "Weigh shells."
    @Option("-w", "--weigh", implied: Order.size, help: "What is weighed.") var weighed: Order?
    @Switch(on: "-g", "--group", off: "--no-group", help: "Whether shells lie in groups.")
    var isGrouped = true
    @Switch(on: "--names", off: "--no-names", help: "Whether names are printed.")
    var hasNames = false
    @Flag("-r", "--reverse", help: "The other way round.") var reverse
    @Argument("BEACH", help: "Where to look.") var beach: String

    func run() {}
  }

  private func scales(_ line: String, _ environment: [String: String] = [:]) throws -> Scales {
    let words = line.split(separator: " ").map(String.init)
    guard case .run(let command) = try Program(Scales.self).parse(words, environment: environment),
      let scales = command as? Scales
    else { throw UsageError("not 'scales'") }
    return scales
  }

  @Test(
    "Of two switches that undo each other the last one counts",
    arguments: [
      ("b", true, false), ("b --no-group --names", false, true),
      ("b --no-group -g --names --no-names", true, false), ("b -rg", true, false),
      ("b --group --no-group", false, false),
    ])
  func switches(line: String, isGrouped: Bool, hasNames: Bool) throws {
    let scales = try scales(line)
    #expect(scales.isGrouped == isGrouped && scales.hasNames == hasNames)
  }

  @Test("A variable turns a switch to the opposite of its default")
  func variables() throws {
    let scales = try scales("b", ["SCALES_NO_GROUP": "1", "SCALES_NAMES": "yes"])
    #expect(!scales.isGrouped && scales.hasNames)
  }

  @Test(
    "A short option whose value may be left out takes it behind an equals sign, else flags follow",
    arguments: [
      ("b -w", Order.size, false), ("b -wr", .size, true), ("-rw b", .size, true),
      ("b -w=colour", .colour, false), ("b --weigh=weight", .weight, false),
    ])
  func implied(line: String, weighed: Order, isReversed: Bool) throws {
    let scales = try scales(line)
    #expect(scales.weighed == weighed && scales.beach == "b" && scales.reverse == isReversed)
  }
}
