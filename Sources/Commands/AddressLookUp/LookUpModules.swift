internal import Bytes
package import Terminal
internal import CrashService
/// Answers lines that each name their file.
package struct LookUpModules: ~Copyable {
  private let console: Console
  private var modules: OpenedModules
  private var last: LookUpLine.Module?
  /// The first line that names no file, or no address.
  package private(set) var firstUnreadable: String?
  /// Number of files that could not be used.
  package var failures: Int { modules.failures }

  /// - Parameters:
  ///   - open: Makes the printer for a file.
  ///   - failed: Makes the printer for a file that cannot be opened.
  package init(
    to console: Console, open: @escaping (LookUpLine.Module) throws -> LookUpPrinter,
    failed: @escaping (LookUpLine.Module, any Error) -> LookUpPrinter
  ) {
    self.console = console
    modules = OpenedModules(to: console, open: open, failed: failed)
  }

  /// Answers one line; the answer is printed by ``flush()`` at the latest.
  ///
  /// - Parameter ending: The text after an answer in JSON.
  package mutating func answer(_ line: ArraySlice<UInt8>, ending: StaticString) throws {
    let parsed = LookUpLine(line)
    let module = parsed?.module ?? .path("")
    if let last, last != module { try flush() }
    let address = parsed?.address ?? []
    guard !address.isEmpty else {
      last = nil
      note(line)
      var printer = modules.failed(module, ServiceError("no address"))
      try printer.answer(line, ending: ending, to: console)
      return try printer.flush(to: console)
    }
    last = module
    let opened = modules.module(module)
    try opened.printer.answer(address, ending: ending, to: console)
    if opened.printer.firstUnreadable != nil { note(line) }
  }

  private mutating func note(_ line: ArraySlice<UInt8>) {
    guard firstUnreadable == nil else { return }
    firstUnreadable = String(decoding: line.prefix(160), as: UTF8.self)
  }

  package mutating func flush() throws {
    if let last { try modules.flush(last) }
  }
}
