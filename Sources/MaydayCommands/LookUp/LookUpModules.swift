/// Answers lines each of which names its file, which is opened when it is first named.
struct LookUpModules: ~Copyable {
  private final class Opened {
    var printer: LookUpPrinter
    /// When it was asked last, by the number of lines.
    var used = 0

    init(_ printer: consuming LookUpPrinter) { self.printer = printer }
  }

  /// So many files stay open, those that were asked last.
  private static let limit = 64

  private let console: Console
  private let open: (LookUpLine.Module) throws -> LookUpPrinter
  private let failed: (LookUpLine.Module, any Error) -> LookUpPrinter
  private var opened: [LookUpLine.Module: Opened] = [:]
  private var last: LookUpLine.Module?
  private var count = 0
  /// The first line that names no file, or no address.
  private(set) var firstUnreadable: String?
  /// How many files could not be used.
  private(set) var failures = 0

  /// - Parameters:
  ///   - open: Makes what answers for a file.
  ///   - failed: Makes what answers for a file that cannot be opened.
  init(
    to console: Console, open: @escaping (LookUpLine.Module) throws -> LookUpPrinter,
    failed: @escaping (LookUpLine.Module, any Error) -> LookUpPrinter
  ) {
    self.console = console
    self.open = open
    self.failed = failed
  }

  /// Answers one line; ``flush()`` prints the answer at the latest.
  ///
  /// - Parameter ending: What stands behind an answer in JSON.
  mutating func answer(_ line: ArraySlice<UInt8>, ending: StaticString) throws {
    count += 1
    let parsed = LookUpLine(line)
    let module = parsed?.module ?? .path("")
    if let last, last != module { try flush() }
    let address = parsed?.address ?? []
    guard !address.isEmpty else {
      last = nil
      note(line)
      var printer = failed(module, CommandFailure("no address"))
      try printer.answer(line, ending: ending, to: console)
      return try printer.flush(to: console)
    }
    last = module
    let opened = opened(module)
    opened.used = count
    try opened.printer.answer(address, ending: ending, to: console)
    if opened.printer.firstUnreadable != nil { note(line) }
  }

  private mutating func note(_ line: ArraySlice<UInt8>) {
    guard firstUnreadable == nil else { return }
    firstUnreadable = String(decoding: line.prefix(160), as: UTF8.self)
  }

  mutating func flush() throws {
    guard let last else { return }
    try opened[last]?.printer.flush(to: console)
  }

  private mutating func opened(_ module: LookUpLine.Module) -> Opened {
    if let known = opened[module] { return known }
    if opened.count >= Self.limit,
      let oldest = opened.min(by: { $0.value.used < $1.value.used })
    {
      opened[oldest.key] = nil
    }
    let new: Opened
    do {
      new = Opened(try open(module))
    } catch {
      failures += 1
      if let message = Exit.describe(error).message { console.warn(message) }
      new = Opened(failed(module, error))
    }
    opened[module] = new
    return new
  }
}
