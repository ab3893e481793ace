.import missing1
        jmp missing1
