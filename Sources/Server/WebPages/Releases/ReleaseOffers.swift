internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import Updates

/// The files of an app's releases, and the shares of installations to which they are offered.
struct ReleaseOffers {
  private let files: [Release: [Artefact]]
  private let rollouts: [Release: Rollout]

  init(of app: String, for call: PageCall) throws {
    files = Dictionary(grouping: try call.service.artefacts(of: app, release: nil), by: \.release)
    rollouts = try call.context.store.distribution.rollouts(of: app)
  }

  /// `25 %, paused`; nothing for a release that is not offered.
  func rollout(of release: Release) -> HTML {
    if let rollout = rollouts[release] {
      return "\(rollout.percent) %\(rollout.pause == nil ? "" : ", paused")"
    }
    let isOffered = files[release]?.contains { $0.isEnabled && !$0.destinations.isEmpty } ?? false
    return isOffered ? "all" : .none
  }

  /// `published`; nothing for a release without a file.
  func file(of release: Release) -> HTML {
    guard let files = files[release] else { return .none }
    let enabled = files.filter(\.isEnabled)
    let state =
      enabled.isEmpty
      ? "disabled" : enabled.contains { !$0.destinations.isEmpty } ? "published" : "not published"
    return files.count == 1 ? "\(state)" : "\(state) (\(PageText.number(files.count)) files)"
  }
}
