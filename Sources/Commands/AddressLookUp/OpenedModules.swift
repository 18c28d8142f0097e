package import Terminal
internal import Rendering
/// The files that lines name, each opened when it is first named.
package struct OpenedModules: ~Copyable {
  package final class Opened {
    package var printer: LookUpPrinter
    /// When it was asked last, by the number of questions.
    fileprivate var used = 0

    fileprivate init(_ printer: consuming LookUpPrinter) { self.printer = printer }
  }

  /// This many files stay open, those that were asked last.
  private static let limit = 64

  private let console: Console
  private let open: (LookUpLine.Module) throws -> LookUpPrinter
  private let failed: (LookUpLine.Module, any Error) -> LookUpPrinter
  private var opened: [LookUpLine.Module: Opened] = [:]
  private var count = 0
  /// How many files could not be used.
  package private(set) var failures = 0

  /// - Parameters:
  ///   - open: Makes what answers for a file.
  ///   - failed: Makes what answers for a file that cannot be opened.
  package init(
    to console: Console, open: @escaping (LookUpLine.Module) throws -> LookUpPrinter,
    failed: @escaping (LookUpLine.Module, any Error) -> LookUpPrinter
  ) {
    self.console = console
    self.open = open
    self.failed = failed
  }

  /// The printer of empty answers for lines without a file or an address, and for unreadable files.
  package func failed(_ module: LookUpLine.Module, _ error: any Error) -> LookUpPrinter {
    failed(module, error)
  }

  /// What answers for `module`. A file that cannot be opened is warned of once.
  package mutating func module(_ module: LookUpLine.Module) -> Opened {
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
      console.warn(FailureText.describe(error).message)
      new = Opened(failed(module, error))
    }
    new.used = count
    opened[module] = new
    return new
  }

  /// Prints what was answered for `module`.
  package func flush(_ module: LookUpLine.Module) throws {
    try opened[module]?.printer.flush(to: console)
  }
}
