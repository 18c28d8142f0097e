internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for release files and their recipients.
enum ArtefactRoutes {
  static let all: [APIRoute] = files + groups + testers

  // MARK: Files

  private static let files: [APIRoute] = [
    APIRoute(
      .listArtefacts, "The files of an app's releases, newest first.",
      tag: "releases", access: .readReleases, returns: .page("Artefact"), refusals: [.notFound]
    ) { try ArtefactsEndpoint(context: $1).list($0) },
    APIRoute(
      .addArtefact, "Add a file of a release. It is not published yet.", tag: "releases",
      access: .releases, rate: .upload, input: .file(atMost: APILimits.artefact),
      returns: .json(.created, "The file, with its number.", .named("Artefact")),
      refusals: [.notFound, .conflict, .unprocessableContent]
    ) { try ArtefactsEndpoint(context: $1).add($0) },
    change(
      .editArtefact, "Change the notes, the state or the signatures of a file.",
      returns: .json(.ok, "The file as it is now.", .named("Artefact"))
    ) { try ArtefactsEndpoint(context: $1).edit($0) },
    change(
      .publishArtefact, "Publish a file to groups or testers.",
      returns: .json(.ok, "The file as it is now.", .named("Artefact"))
    ) { try ArtefactsEndpoint(context: $1).publish($0) },
    change(
      .withdrawArtefact, "Stop offering a file to groups or testers.",
      returns: .json(.ok, "The file as it is now.", .named("Artefact"))
    ) { try ArtefactsEndpoint(context: $1).withdraw($0) },
    change(
      .removeArtefact, "Remove a file; its number is not used again.",
      returns: .empty(.noContent, "Removed.")
    ) { try ArtefactsEndpoint(context: $1).remove($0) },
    APIRoute(
      .listMissingDebugFiles, "Binaries in a file without a debug file.", tag: "releases",
      access: .readReleases, returns: .page("PackagedBinary"), refusals: [.notFound]
    ) { try ArtefactsEndpoint(context: $1).missingDebugFiles($0) },
    APIRoute(
      .listReleaseWarnings, "Why published files reach fewer clients than expected, or none.",
      tag: "releases", access: .readReleases, returns: .page("ReleaseWarning"),
      refusals: [.notFound]
    ) { try ArtefactsEndpoint(context: $1).warnings($0) },
    APIRoute(
      .explainCheck, "What a client is offered when it checks for an update, and why.",
      tag: "releases", access: .readReleases,
      returns: .json(
        .ok, "Output of `mayday releases explain --json`.", .named("CheckExplanation")),
      refusals: [.notFound]
    ) { try ArtefactsEndpoint(context: $1).explainCheck($0) },
    APIRoute(
      .listDistributionHistory, "The history of an app's releases, oldest first.", tag: "releases",
      access: .readReleases, returns: .page("DistributionEvent"), refusals: [.notFound]
    ) { try ArtefactsEndpoint(context: $1).history($0) },
  ]

  // MARK: Groups

  private static let groups: [APIRoute] = [
    APIRoute(
      .listDistributionGroups, "The distribution groups of an app.", tag: "releases",
      access: .readReleases, returns: .page("DistributionGroup"), refusals: [.notFound]
    ) { try DistributionGroupsEndpoint(context: $1).list($0) },
    change(
      .addDistributionGroup, "Create a distribution group.",
      returns: .json(.created, "The group.", .named("DistributionGroup"))
    ) { try DistributionGroupsEndpoint(context: $1).add($0) },
    change(
      .editDistributionGroup, "Rename a distribution group, or make it public or private.",
      returns: .json(.ok, "The group as it is now.", .named("DistributionGroup"))
    ) { try DistributionGroupsEndpoint(context: $1).edit($0) },
    change(
      .removeDistributionGroup, "Remove a distribution group.",
      returns: .empty(.noContent, "Removed.")
    ) { try DistributionGroupsEndpoint(context: $1).remove($0) },
  ]

  // MARK: Testers

  private static let testers: [APIRoute] = [
    APIRoute(
      .listTesters, "The testers of an app.", tag: "releases",
      access: .readReleases, returns: .page("Tester"), refusals: [.notFound]
    ) { try TestersEndpoint(context: $1).list($0) },
    change(
      .inviteTester, "Invite a tester to a distribution group.",
      returns: .json(.created, "The tester, with the invitation.", .named("InvitedTester"))
    ) { try TestersEndpoint(context: $1).invite($0) },
    change(
      .resendInvitation, "Replace a tester's open invitations by a new one.",
      returns: .json(.created, "The tester, with the invitation.", .named("InvitedTester"))
    ) { try TestersEndpoint(context: $1).resend($0) },
    APIRoute(
      .listTesterMails, "The mails to the testers of an app, newest first.",
      tag: "releases", access: .readReleases, returns: .page("TesterMail"), refusals: [.notFound]
    ) { try TestersEndpoint(context: $1).mails($0) },
    change(
      .removeTester, "Remove a tester from a group or from the app.",
      returns: .empty(.noContent, "Removed.")
    ) { try TestersEndpoint(context: $1).remove($0) },
    change(
      .revokeTester,
      "End a tester's invitations, sessions and update tokens, or only the invitations.",
      returns: .json(
        .ok, "The number of revoked items.", .object([.always("revoked", .count)]))
    ) { try TestersEndpoint(context: $1).revoke($0) },
  ]

  private static func change(
    _ call: APICall, _ summary: String, returns answer: APIRoute.Answer,
    handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    APIRoute(
      call, summary, tag: "releases", access: .releases, returns: answer,
      refusals: [.notFound, .conflict], handler: handler)
  }
}
