internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Files
internal import Rendering
internal import ReportDocument
internal import ServerCore
internal import TriageModel

/// Where in the app's own code the groups of a list crash, and the first frames there, according to their
/// exemplars.
struct GroupLocations {
  let service: any CrashService
  let memory: LocationCache

  /// Seconds after which a page omits the places that are not yet known: reports can be large. The next
  /// page finds more of them.
  private static let patience = 0.1

  /// The maximum number of frames of a place, and of characters of a function.
  private static let frames = 5
  private static let longestName = 100

  private static func line(_ frame: FrameText) -> String {
    let name =
      frame.name.count > longestName ? frame.name.prefix(longestName) + "…" : frame.name[...]
    return frame.beside.isEmpty ? String(name) : "\(name) \(frame.beside)"
  }

  /// The places by group id; a group whose report is not read yet is left out.
  func places(of groups: Page<GroupSummary>) throws -> [String: LocationCache.Place] {
    let start = SteadyClock.seconds
    var places: [String: LocationCache.Place] = [:]
    for group in groups where !group.exemplar.isEmpty {
      let key = LocationCache.Key(report: group.exemplar, title: group.signature.text)
      if let known = memory[key] {
        places[group.id] = known
      } else if SteadyClock.seconds - start < Self.patience {
        do {
          let report = try service.report(group.exemplar, sourceLines: nil).report
          let place = LocationCache.Place(
            location: report.location,
            frames: report.ownFrames(atMost: Self.frames).map(Self.line))
          memory.keep(place, for: key)
          places[group.id] = place
        } catch is UnknownID {
          // Deleted since the list was read.
        } catch StoreError.damagedBlob {
          // The report's own page shows the error.
        }
      }
    }
    return places
  }
}
