internal import Bytes
package import Terminal
internal import Rendering
/// The files that lines name, each opened when it is first named.
package struct OpenedModules: ~Copyable {
  package final class Opened {
    package var printer: LookUpPrinter
    /// When it was last used, counted in requests.
    fileprivate var used = 0

    fileprivate init(_ printer: consuming LookUpPrinter) { self.printer = printer }
  }

  /// Maximum number of open files: those that were used last.
  private static let limit = 64

  private let console: Console
  private let open: (LookUpLine.Module) throws -> LookUpPrinter
  private let failed: (LookUpLine.Module, any Error) -> LookUpPrinter
  private var opened: [LookUpLine.Module: Opened] = [:]
  private var count = 0
  /// Number of files that could not be used.
  package private(set) var failures = 0

  /// - Parameters:
  ///   - open: Makes the printer for a file.
  ///   - failed: Makes the printer for a file that cannot be opened.
  package init(
    to console: Console, open: @escaping (LookUpLine.Module) throws -> LookUpPrinter,
    failed: @escaping (LookUpLine.Module, any Error) -> LookUpPrinter
  ) {
    self.console = console
    self.open = open
    self.failed = failed
  }

  /// Returns the printer of empty answers for lines without a file or an address, and for unreadable files.
  package func failed(_ module: LookUpLine.Module, _ error: any Error) -> LookUpPrinter {
    failed(module, error)
  }

  /// Returns the opened `module`. Warns once about a file that cannot be opened.
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

  /// Prints the answers for `module`.
  package func flush(_ module: LookUpLine.Module) throws {
    try opened[module]?.printer.flush(to: console)
  }
}
