/// The files that lines name, each opened when it is first named.
struct OpenedModules: ~Copyable {
  final class Opened {
    var printer: LookUpPrinter
    /// When it was asked last, by the number of questions.
    fileprivate var used = 0

    fileprivate init(_ printer: consuming LookUpPrinter) { self.printer = printer }
  }

  /// So many files stay open, those that were asked last.
  private static let limit = 64

  private let console: Console
  private let open: (LookUpLine.Module) throws -> LookUpPrinter
  private let failed: (LookUpLine.Module, any Error) -> LookUpPrinter
  private var opened: [LookUpLine.Module: Opened] = [:]
  private var count = 0
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

  /// What answers for lines without a file or an address, and for files that cannot be opened.
  func failed(_ module: LookUpLine.Module, _ error: any Error) -> LookUpPrinter {
    failed(module, error)
  }

  /// What answers for `module`. A file that cannot be opened is warned of once.
  mutating func module(_ module: LookUpLine.Module) -> Opened {
    count += 1
    if let known = opened[module] {
      known.used = count
      return known
    }
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
    new.used = count
    opened[module] = new
    return new
  }

  /// Prints what was answered for `module`.
  func flush(_ module: LookUpLine.Module) throws { try opened[module]?.printer.flush(to: console) }
}
