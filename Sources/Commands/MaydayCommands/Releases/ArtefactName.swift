import Arguments
import CrashService
import CrashStore
import Identifiers
import Updates

/// A name for files of releases on the command line: `#3` for one file, `1.4.0` or `1.4.0 (512)` for a
/// release's.
struct ArtefactName {
  let text: String

  /// `3` of `#3`.
  var number: Int? { text.hasPrefix("#") ? Int(text.dropFirst()) : nil }

  /// The files that it names; at least one.
  ///
  /// - Throws: ``DistributionError/noSuchArtefact(_:app:)``.
  func artefacts(of app: String, in service: any CrashService) throws -> [Artefact] {
    let all = try service.artefacts(
      of: app, release: text.hasPrefix("#") ? nil : Release(text))
    let found = number.map { number in all.filter { $0.number == number } } ?? all
    guard !found.isEmpty, !text.hasPrefix("#") || number != nil else {
      throw DistributionError.noSuchArtefact(text, app: app)
    }
    return found
  }

  /// The one file, or the newest file of the release's highest build.
  func newest(of app: String, in service: any CrashService) throws -> Artefact {
    let found = try artefacts(of: app, in: service)
    // The last file comes first: among files of one build it stays.
    let newest = found.dropFirst().reduce(found.first) { newest, other in
      guard let newest, newest.release != other.release else { return newest }
      return newest.release.precedesByNumber(other.release) ? other : newest
    }
    guard let newest else { throw DistributionError.noSuchArtefact(text, app: app) }
    return newest
  }
}
