import Bytes
import CommandSupport
import CrashService
import Identifiers
import Terminal
import Updates

/// Warnings about files that were just published and reach fewer clients than expected.
enum PublicationWarnings {
  /// Prints them; nothing for files that are not published.
  ///
  /// - Throws: The service's error.
  static func say(
    of artefacts: [Artefact], app: String, in service: any CrashService, _ options: ServiceOptions,
    _ console: Console
  ) throws {
    let published = artefacts.filter { !$0.destinations.isEmpty }
    guard !published.isEmpty else { return }
    let numbers = Set(published.map(\.number))
    for release in Set(published.map(\.release)).sorted(by: { $0.precedesByNumber($1) }) {
      for warning in try service.releaseWarnings(of: app, release: release)
      where numbers.contains(warning.number) {
        console.say(warning.text.printable)
      }
    }
    if let problem = try options.addressProblem() { console.say(problem.printable) }
  }
}
