internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Files
internal import Rendering
internal import ReportDocument
internal import ServerCore
internal import TriageModel

/// Where in the app's own code the groups of a list crash, according to their exemplars.
struct GroupLocations {
  let service: any CrashService
  let memory: LocationCache

  /// Seconds after which a page omits the locations that are not yet known: reports can be large. The next
  /// page finds more of them.
  private static let patience = 0.1

  /// The locations by group id; a group without one is left out.
  func locations(of groups: Page<GroupSummary>) throws -> [String: String] {
    let start = SteadyClock.seconds
    var locations: [String: String] = [:]
    for group in groups where !group.exemplar.isEmpty {
      let key = LocationCache.Key(report: group.exemplar, title: group.signature.text)
      if let known = memory[key] {
        locations[group.id] = known
      } else if memory.isUnknown(key), SteadyClock.seconds - start < Self.patience {
        do {
          let location = try service.report(group.exemplar, sourceLines: nil).report.location
          memory.keep(location, for: key)
          locations[group.id] = location
        } catch is UnknownID {
          // Deleted since the list was read.
        } catch StoreError.damagedBlob {
          // The report's own page shows the error.
        }
      }
    }
    return locations
  }
}
