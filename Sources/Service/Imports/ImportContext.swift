package import CrashService
package import CrashStore
internal import Identifiers
package import Pipeline
package import Scrubbing

/// The store that an import writes to, and how it does.
package struct ImportContext {
  let store: CrashStore
  let service: any CrashService
  let symbolicators: SymbolicatorChoice
  let signers: SignerChoice
  let scrubber: Scrubber
  /// The value of ``CrashStore/DebugFiles/arrivals()`` before the symbolicators were made.
  let arrivals: Int
  /// The author of decisions, for the history.
  let author: String

  package init(
    store: CrashStore, service: any CrashService, symbolicators: SymbolicatorChoice,
    signers: SignerChoice, scrubber: Scrubber, arrivals: Int, author: String
  ) {
    self.store = store
    self.service = service
    self.symbolicators = symbolicators
    self.signers = signers
    self.scrubber = scrubber
    self.arrivals = arrivals
    self.author = author
  }

  /// - Parameter app: The app of all reports; without one, each report names its own.
  func ingest(app: String?) -> Ingest {
    Ingest(
      into: store,
      processor: ReportProcessor(
        symbolicators: symbolicators, signers: signers, scrubber: scrubber, app: app),
      app: app, arrivals: arrivals)
  }
}
