internal import TestSupport

/// A made-up world of apps, releases, bugs, devices and users, from which crash reports are drawn.
///
/// Everything follows from the seed: the report with a number is the same in each run. The world is like a
/// team's store: a few bugs have most of the reports, each bug lives from one release to another, is reached
/// in several ways, and most users run one of the newest releases.
struct SyntheticData: Sendable {
  static let bugsOfApp = 1_200
  static let releasesOfApp = 18
  static let days = 120
  static let installs = 200_000
  /// The first day's midnight, in seconds since 1970: 2026-01-01.
  static let firstDay = 1_767_225_600

  struct App: Sendable {
    let name: String
    let identifier: String
    let releases: [Release]
    let bugs: [Bug]
    /// Sums of the bugs' weights, for drawing one.
    let weights: [Int]
  }

  struct Release: Sendable {
    let version: String
    let build: Int
    /// The id of this build's image.
    let uuid: String
    let slide: UInt64
  }

  struct Bug: Sendable {
    /// The releases that have it.
    let life: ClosedRange<Int>
    let signal: Int
    /// The ways to the crash: lists with the function that crashes first, then those that lead to it.
    let ways: [[MadeFunction]]
    /// Index of the functions of the system on top of it.
    let top: Int
    let message: Int
  }

  struct MadeFunction: Sendable {
    let function: String
    let file: String
    let line: Int
    let offset: Int
  }

  let apps: [App]

  init(seed: UInt64 = 1) {
    var random = SplitMix(seed: seed)
    apps = [("Tern", 6), ("Plover", 3), ("Heron", 2), ("Avocet", 1)].map { name, _ in
      Self.app(name, &random)
    }
  }

  /// The share of all reports of each app, in twelfths, in the order of ``apps``.
  static let shares = [6, 3, 2, 1]

  private static func app(_ name: String, _ random: inout SplitMix) -> App {
    let functions = (0..<4_000).map { _ in madeFunction(&random) }
    let releases = (0..<releasesOfApp).map { index in
      Release(
        version: "\(1 + index / 10).\(index % 10).\(random.below(3))", build: 100 + index * 7,
        uuid: random.uuid(), slide: 0x1_0000_0000 + UInt64(random.below(4_096)) * 0x4000)
    }
    var weights: [Int] = []
    var sum = 0
    let bugs = (0..<bugsOfApp).map { rank in
      sum += 1_000_000 / (rank + 4)
      weights.append(sum)
      return bug(functions, &random)
    }
    return App(
      name: name, identifier: "shop.\(name.lowercased()).app", releases: releases, bugs: bugs,
      weights: weights)
  }

  private static func bug(_ functions: [MadeFunction], _ random: inout SplitMix) -> Bug {
    let crash = functions[random.below(functions.count)]
    let birth = random.below(releasesOfApp)
    let death = min(releasesOfApp - 1, birth + random.below(releasesOfApp))
    let ways = (0..<1 + random.below(24)).map { _ in
      [crash]
        + (0..<3 + random.below(14)).map { _ in functions[random.below(functions.count)] }
    }
    return Bug(
      life: birth...death, signal: random.below(ReportGenerator.signals.count), ways: ways,
      top: random.below(ReportGenerator.tops.count), message: random.below(40))
  }

  private static func madeFunction(_ random: inout SplitMix) -> MadeFunction {
    let noun = nouns[random.below(nouns.count)]
    let owner = noun + parts[random.below(parts.count)]
    let verb = verbs[random.below(verbs.count)]
    let object = nouns[random.below(nouns.count)]
    let function = "\(owner).\(verb)\(object)(_:\(random.below(3) == 0 ? "completion:" : ""))"
    return MadeFunction(
      function: function, file: "\(owner).swift", line: 10 + random.below(900),
      offset: 0x4000 + random.below(0x20_0000) * 4)
  }

  private static let nouns = [
    "Basket", "Order", "Receipt", "Customer", "Price", "Discount", "Voucher", "Drawer", "Printer",
    "Scanner", "Session", "Account", "Payment", "Card", "Ledger", "Shelf", "Stock", "Label",
    "Image", "Thumbnail", "Photo", "Message", "Channel", "Upload", "Download", "Cache", "Index",
    "Search", "Route", "Map", "Region", "Calendar", "Event", "Reminder", "Theme", "Layout",
  ]
  private static let parts = [
    "View", "ViewModel", "Store", "Controller", "Service", "Loader", "Parser", "Renderer", "Queue",
    "Coordinator", "Formatter", "Cell", "Client", "Repository", "Engine", "Observer",
  ]
  private static let verbs = [
    "load", "save", "render", "update", "remove", "insert", "decode", "encode", "resolve", "merge",
    "refresh", "validate", "schedule", "cancel", "open", "close", "reload", "apply", "present",
  ]
}

extension SplitMix {
  /// Returns a UUID of version 4.
  mutating func uuid() -> String {
    let (high, low) = (next(), next())
    let groups: [(UInt64, digits: Int)] = [
      (high >> 32, 8), (high >> 16 & 0xffff, 4), (high & 0xfff | 0x4000, 4),
      (low >> 48 & 0x3fff | 0x8000, 4), (low & 0xffff_ffff_ffff, 12),
    ]
    return String(unsafeUninitializedCapacity: 36) { text in
      var end = 0
      for (value, digits) in groups {
        if end > 0 {
          text[end] = UInt8(ascii: "-")
          end += 1
        }
        for position in (0..<digits).reversed() {
          let digit = UInt8(value >> (UInt64(position) * 4) & 15)
          text[end] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
          end += 1
        }
      }
      return end
    }
  }
}
