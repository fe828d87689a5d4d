/// Arguments that the program does not have.
struct UsageError: Error {
    var text: String

    static let usage = """
        usage: holdfast-simulate [arguments]

          --runs N          how many scenarios; 100
          --seed N          the seed of the first one; 1
          --operations N    operations of applications in each; 60
          --clients N       clients at most; 3
          --server-processes N
                            processes of the service at most; 2
          --schema FILE     a schema to run instead of the one of the simulation; can be repeated
          --strategy NAME   how the service resolves conflicts: optimistic, automerge, or function, one that decides now
                            one way and now another; a choice of the seed by default
          --conflict M=NAME the same for the model M; can be repeated
          --storages A,B    where clients may keep their records: memory (the default), sqlite, leveldb
          --calm            without faults
          --harsh           other lives of tombstones, and limits of records
          --replay FILE     the scenario in a file; with --runs N, also with the N - 1 seeds after its own
          --timeline        print everything that happens
          --cores           every order of delivery in a small scope, without tasks and stores; --runs says how many
                            choices of changes are tried: 32 are all with two changes, 176 all
          --once            do not run each scenario twice to see that both runs are the same
          --no-shrink       do not make failing scenarios smaller
          --stop            end at the first violation
          --json FILE       write the summary to a file; - for the standard output, and nothing else there
          --html FILE       write a page with the summary, and with a space-time diagram of each of the first five runs
                            that fail; of a single run in any case
        """
}
