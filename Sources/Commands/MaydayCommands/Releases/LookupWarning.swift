import Bytes
import CrashService
import Terminal
import Updates

/// Warns if a public release cannot be shown to clients of the iTunes lookup.
enum LookupWarning {
  /// - Throws: The service's error.
  static func say(
    of artefact: Artefact, app: String, in service: any CrashService, _ console: Console
  ) throws {
    guard [.iOS, .macOS].contains(artefact.platform),
      let problem = StoreVersion.problem(of: artefact.release)
    else { return }
    let published = Set(artefact.destinations.map(\.id))
    let isPublic = try service.distributionGroups(of: app).contains {
      $0.isPublic && published.contains($0.id)
    }
    guard isPublic else { return }
    console.say(problem.printable)
  }
}
