internal import CrashService
internal import CrashStore
internal import ServerCore

/// The apps and releases that the list of groups names in its menus and charts, read once.
struct GroupListApps {
  /// The names of the apps that the visitor may see.
  let names: [String]
  /// The app that the search chooses; `nil` for all, and for one that the visitor may not see.
  let chosen: String?
  /// The releases of the chosen app, or of all apps.
  let releases: [ReleaseRecord]

  init(call: PageCall, filter: GroupListFilter) throws {
    names = try call.service.apps().map(\.name)
    let app = filter.chosen(.app)
    chosen = names.contains(app) ? app : nil
    releases = try call.service.releases(of: chosen)
  }

  /// The app that is chosen, or the only one.
  var one: String? { names.count == 1 ? names.first : chosen }
}
