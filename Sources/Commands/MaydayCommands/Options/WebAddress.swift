import Bytes
import ChildProcess
import CommandSupport
import Glibc
import Terminal

extension ServiceOptions {
  /// Opens a page in the browser, or prints its address where there is none.
  ///
  /// - Parameter path: The path of the page, escaped, with the query.
  /// - Throws: ``CommandFailure`` if no server has served the home.
  func open(_ path: String, on console: Console) throws {
    guard let pages = try pageAddress() else {
      throw CommandFailure(
        "no server has served this home, so it has no pages yet: start one with mayday serve, or"
          + " name one with --server URL", .notFound)
    }
    let address = pages + path
    if console.isOutputTerminal, let browser = Self.browser, Self.run(browser, address) {
      return console.say("Opened \(address.printable)")
    }
    try console.write(address + "\n")
  }

  /// The program that opens an address: `$BROWSER`, or xdg-open on a desktop.
  private static var browser: String? {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    if let named = value("BROWSER") { return named }
    guard value("DISPLAY") ?? value("WAYLAND_DISPLAY") != nil else { return nil }
    let folders = (value("PATH") ?? "").split(separator: ":")
    return folders.map { "\($0)/xdg-open" }.first { access($0, X_OK) == 0 }
  }

  /// - Returns: Whether the program took the address.
  private static func run(_ browser: String, _ address: String) -> Bool {
    // The shell gets the address as an argument: nothing in it is a command.
    let words = ["sh", "-c", "\(browser) \"$1\"", "sh", address]
    guard
      let child = try? ChildProcess(
        words, program: "/bin/sh", input: STDIN_FILENO, surroundings: .inherited)
    else { return false }
    return child.wait().code == 0
  }
}
