internal import CrashModel
internal import CrashService
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import Updates

/// The releases of an app that a tester may install, as a part of a page.
struct TesterReleases: Sendable {
  private let downloads: DownloadLinks

  init(downloads: DownloadLinks) { self.downloads = downloads }

  /// Returns the newest release for each platform, with links to install it.
  func section(of updates: AppUpdates, for tester: String, _ head: RequestHead) -> HTML {
    let platforms: [ArtefactPlatform] = [.iOS, .android, .macOS, .windows, .other]
    let offers = platforms.compactMap {
      // An app bundle is for stores and can't be installed on a device.
      updates.newest(for: .tester(tester), on: [$0], installation: tester) {
        $0.package.kind != .aab
      }
    }
    guard !offers.isEmpty else {
      return """
        <section><h2>\(updates.app)</h2><p class="quiet">There is no release yet.</p></section>
        """
    }
    // It has the notes, a code for a phone, and older releases.
    let page = MountPoint.path(of: head) + InstallPage.path(ofApp: updates.app)
    let more: HTML = """
      <p><a href="\(address: page)">The install page of \(updates.app)</a></p>
      """
    return HTML(
      offers.map { offer in
        let details = ReleaseDetails(offer, of: updates, for: .tester(tester))
        let (base, now) = (MountPoint.base(of: head), Timestamp.now)
        func address(_ file: DownloadLinks.LinkedFile) -> String {
          downloads.address(
            of: file, of: offer.artefact, for: .tester(tester), at: base, now: now)
        }
        let icon: HTML =
          offer.artefact.icon == nil ? .none : "<img src=\"\(address(.icon))\" alt=\"\">"
        let notes: HTML =
          offer.artefact.notes.isEmpty ? .none : " · <a href=\"\(address(.notes))\">What's new</a>"
        let release = offer.artefact.release
        return """
          <section>\(icon)<h2>\(updates.app)</h2>
          <p class="quiet">\(release.version) (\(release.build)) for \(offer.artefact.platform.rawValue)\(notes)</p>
          <a class="button" href="\(details.installation(downloads, base, now))">Install</a></section>
          """
      } + [more])
  }
}
