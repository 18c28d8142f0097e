internal import CrashService
internal import Documents
internal import Updates

/// Calls about release files and their recipients, remote configurations, and update settings.
extension APICall {
  package static let listArtefacts = APICall(
    "listArtefacts", "GET", "/api/v1/artefacts", query: [.app, .onlyVersion] + .pages)
  package static let addArtefact = APICall(
    "addArtefact", "POST", "/api/v1/artefacts",
    query: [
      .app, .asked("name", .text(atLeast: 1), "The file's name: tern.ipa.", isRequired: true),
      .asked("version", .text(atLeast: 1), "1.5.0 (600), unless the file states it."),
    ])
  package static let editArtefact = APICall(
    "editArtefact", "POST", "/api/v1/artefacts/edit", body: ArtefactEdit.declaration)
  package static let publishArtefact = APICall(
    "publishArtefact", "POST", "/api/v1/artefacts/publish", body: ArtefactPublication.declaration)
  package static let withdrawArtefact = APICall(
    "withdrawArtefact", "POST", "/api/v1/artefacts/withdraw", body: ArtefactWithdrawal.declaration)
  package static let removeArtefact = APICall(
    "removeArtefact", "POST", "/api/v1/artefacts/remove", body: ArtefactRemoval.declaration)
  package static let listMissingDebugFiles = APICall(
    "listMissingDebugFiles", "GET", "/api/v1/artefacts/missing-debug-files",
    query: [
      .app, .asked("number", .integer(1...Int.max), "The file's number.", isRequired: true),
    ] + .pages)
  package static let listReleaseWarnings = APICall(
    "listReleaseWarnings", "GET", "/api/v1/artefacts/warnings",
    query: [.app, .onlyVersion] + .pages)
  package static let listDistributionHistory = APICall(
    "listDistributionHistory", "GET", "/api/v1/artefacts/history",
    query: [.app, .onlyVersion] + .pages)

  package static let explainCheck = APICall(
    "explainCheck", "GET", "/api/v1/releases/explain",
    query: [
      .app,
      .asked(
        "platform", .choice(CheckQuestion.platforms.map(\.rawValue)), "The client's platform.",
        isRequired: true),
      .asked("version", .text(atLeast: 1), "The installed release: 1.4.2 (512)."),
      .asked("hash", .text(atLeast: 1), "The hash that the SDK computes for the installed build."),
      .asked("system", .text(atLeast: 1), "The system's version; for Android the API level."),
      .asked("tester", .text(atLeast: 1), "The email address of a tester. Default: anyone."),
      .asked("group", .text(atLeast: 1), "The only public group that counts."),
      .asked("install", .text(atLeast: 1), "The id of the installation in roll-outs."),
    ])

  // MARK: Groups

  package static let listDistributionGroups = APICall(
    "listDistributionGroups", "GET", "/api/v1/distribution-groups", query: [.app] + .pages)
  package static let addDistributionGroup = APICall(
    "addDistributionGroup", "POST", "/api/v1/distribution-groups",
    body: NewDistributionGroup.declaration)
  package static let editDistributionGroup = APICall(
    "editDistributionGroup", "POST", "/api/v1/distribution-groups/edit",
    body: DistributionGroupEdit.declaration)
  package static let removeDistributionGroup = APICall(
    "removeDistributionGroup", "POST", "/api/v1/distribution-groups/remove",
    body: DistributionGroupRemoval.declaration)

  // MARK: Testers

  package static let listTesters = APICall(
    "listTesters", "GET", "/api/v1/testers", query: [.app] + .pages)
  package static let inviteTester = APICall(
    "inviteTester", "POST", "/api/v1/testers/invite", body: TesterInvitation.declaration)
  package static let resendInvitation = APICall(
    "resendInvitation", "POST", "/api/v1/testers/resend",
    body: InvitationResending.declaration)
  package static let listTesterMails = APICall(
    "listTesterMails", "GET", "/api/v1/testers/mails", query: [.app] + .pages)
  package static let removeTester = APICall(
    "removeTester", "POST", "/api/v1/testers/remove", body: TesterRemoval.declaration)
  package static let revokeTester = APICall(
    "revokeTester", "POST", "/api/v1/testers/revoke", body: TesterRevocation.declaration)

  // MARK: Updates

  package static let getRemoteConfiguration = APICall(
    "getRemoteConfiguration", "GET", "/api/v1/remote-config/:app")
  package static let listRemoteConfigurations = APICall(
    "listRemoteConfigurations", "GET", "/api/v1/remote-config/:app/history", query: .pages)
  package static let getFormerRemoteConfiguration = APICall(
    "getFormerRemoteConfiguration", "GET", "/api/v1/remote-config/:app/history/:number")
  package static let publishRemoteConfiguration = APICall(
    "publishRemoteConfiguration", "PUT", "/api/v1/remote-config/:app",
    body: ConfigurationPublication.declaration)
  package static let editRemoteConfiguration = APICall(
    "editRemoteConfiguration", "POST", "/api/v1/remote-config/:app/edit",
    body: ConfigurationEdit.declaration)
  package static let rollBackRemoteConfiguration = APICall(
    "rollBackRemoteConfiguration", "POST", "/api/v1/remote-config/:app/rollback",
    body: ConfigurationRollback.declaration)
  package static let getUpdateSettings = APICall(
    "getUpdateSettings", "GET", "/api/v1/update-settings/:app")
  package static let setUpdateSetting = APICall(
    "setUpdateSetting", "PUT", "/api/v1/update-settings/:app",
    body: UpdateSettingChange.declaration)
}

extension APIParameter {
  fileprivate static let app = asked("app", .text(atLeast: 1), "The app.", isRequired: true)
  fileprivate static let onlyVersion = asked(
    "version", .text(atLeast: 1), "Only 1.5.0, or only 1.5.0 (600).")
}
