internal import CrashService
internal import CrashStore
package import HTTP
internal import JSON
internal import ServerCore
internal import Updates

/// `POST …/analytics/distribution/release_counts`: downloads of releases.
package struct AppCenterReleaseCountsEndpoint {
  /// The maximum number of releases in a request.
  private static let most = 100

  package init() {}

  /// `{"releases": [{"release", "distribution_group"}]}`, the group by name or id, or absent for all.
  ///
  /// `total_count` are downloads, `unique_count` installations that reported that they run it.
  package func counts(_ call: AppCenterCall) throws -> Response {
    guard let asked = try call.object()["releases"]?.array, (1...Self.most).contains(asked.count)
    else {
      throw HTTPError.refused(.badRequest, "releases must be 1 to \(Self.most) releases")
    }
    let catalog = try AppCenterReleases(call)
    let counts = try asked.map { item -> Count in
      guard let name = item["release"]?.string ?? item["release"]?.integer.map({ "\($0)" }) else {
        throw HTTPError.refused(.badRequest, "release, the number of a release, is missing")
      }
      let artefact = try catalog.artefact(name)
      let figures = try catalog.distribution.figures(ofArtefact: artefact.number, of: call.app)
      guard let group = item["distribution_group"]?.string else {
        return Count(
          release: artefact.number, group: nil, unique: figures.installs, total: figures.downloads)
      }
      let destination = try catalog.destination(group, isMandatory: false)
      let found = figures.groups.first { $0.id == destination.id }
      return Count(
        release: artefact.number, group: group, unique: found?.installs ?? 0,
        total: found?.downloads ?? 0)
    }
    return .document { writer in
      writer.beginObject()
      writer.key("counts")
      writer.beginArray()
      for count in counts {
        writer.beginObject()
        writer.member("release_id", String(count.release))
        if let group = count.group { writer.member("distribution_group", group) }
        writer.member("unique_count", count.unique)
        writer.member("total_count", count.total)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
  }

  private struct Count {
    let release: Int
    let group: String?
    let unique: Int
    let total: Int
  }
}
