import CrashModel
import CrashService
import Terminal
import Updates

/// Says when a release that is public cannot be shown to clients of the iTunes lookup.
enum LookupWarning {
  /// - Throws: As the service does.
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
